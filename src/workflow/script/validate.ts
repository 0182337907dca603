import { placed, ScriptFault, type ScriptWarning } from "./fault.ts";
import { compileScript } from "./prepare.ts";

export interface ScriptReport {
  readonly valid: boolean;
  /** Why the script cannot run, with the place. */
  readonly error?: string;
  readonly code?: string;
  /** Place of the error, 1-based; absent where the script as a whole is at fault. */
  readonly line?: number;
  readonly column?: number;
  readonly hints?: readonly string[];
  /** One text per warning, with the place; absent where there are none. */
  readonly warnings?: readonly string[];
  /** The same warnings with their code and place as data. */
  readonly diagnostics?: readonly ScriptWarning[];
}

/**
 * Checks a script without running it: syntax, meta, forbidden constructs, likely mistakes.
 * @param fileName shown in messages.
 */
export async function validateScript(source: string, fileName: string): Promise<ScriptReport> {
  try {
    const { warnings } = await compileScript(source, fileName, { warnings: true });
    if (warnings.length === 0) return { valid: true };
    return {
      valid: true,
      warnings: warnings.map((warning) => placed(warning.message, fileName, warning)),
      diagnostics: warnings,
    };
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return {
      valid: false,
      error: placed(error.message, fileName, error.position),
      code: error.code,
      ...error.position,
      hints: error.hints,
    };
  }
}
