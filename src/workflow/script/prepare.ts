import type { Program } from "acorn";
import type { Json } from "../../lib/json.ts";
import { applyEdits } from "./edits.ts";
import { faultError, ScriptFault, type ScriptWarning } from "./fault.ts";
import { refuseForbidden } from "./forbidden.ts";
import { type MetaBlock, readModuleSyntax } from "./module-syntax.ts";
import { parseScript } from "./parse.ts";
import { rewritesOfRefused } from "./refused-text.ts";

const PREFIX = "(async function () {";
/** By how many columns the wrapper moves the first line of a script; lines never move. */
export const WRAPPER_COLUMNS = PREFIX.length;

export interface PreparedScript {
  /** Text for `Compartment.evaluate`: an expression that yields an async function without parameters. */
  readonly program: string;
  readonly fileName: string;
  /** The value of `export const meta`; `null` where there is none. */
  readonly meta: Json | null;
  /** Empty unless asked for. */
  readonly warnings: readonly ScriptWarning[];
}

export interface PrepareOptions {
  /** Look for likely mistakes; costs about as much as parsing. */
  readonly warnings?: boolean;
  /** Have calls of the script API say where in the script they are, for a rehearsal. */
  readonly callSites?: boolean;
}

/** Drops a byte order mark and turns a `#!` line into a comment; lengths stay but for the mark. */
function plainText(source: string): string {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  return text.startsWith("#!") ? `//${text.slice(2)}` : text;
}

function isBlank(program: Program, hasMeta: boolean): boolean {
  const statements = hasMeta ? program.body.slice(1) : program.body;
  return statements.every((statement) => statement.type === "EmptyStatement");
}

/** The script as a function body can hold it: the word `export` of the meta block is blanked. */
function withoutExport(text: string, meta: MetaBlock | null): string {
  if (meta === null) return text;
  const end = meta.offset + "export".length;
  return text.slice(0, meta.offset) + " ".repeat("export".length) + text.slice(end);
}

/** The name as `//# sourceURL` can carry it: nothing that ends it early or that SES refuses. */
function sourceUrl(fileName: string): string {
  return fileName.replace(/[^\p{L}\p{N}\p{M}_.\-/\\:@+~=,#%]/gu, "_").replace(/\/(?=\/)/g, "");
}

/**
 * Does what `prepareScript` does, for callers that want the place of a fault as numbers.
 * @throws ScriptFault
 */
export async function compileScript(
  source: string,
  fileName: string,
  options: PrepareOptions = {},
): Promise<PreparedScript> {
  const { text, program } = await parseScript(plainText(source));
  const meta = readModuleSyntax(text, program);
  if (isBlank(program, meta !== null)) {
    const hint = "write at least one statement, such as `return await agent(…)`";
    throw new ScriptFault("script_empty", "workflow script is empty", undefined, [hint]);
  }
  refuseForbidden(text, program);
  const rewrites = rewritesOfRefused(text, program);
  const marks =
    options.callSites === true
      ? await (await import("./call-sites.ts")).markCallSites(text, program)
      : [];
  const body = applyEdits(withoutExport(text, meta), [...rewrites, ...marks]);
  const metaValue = meta?.value ?? null;
  const warnings =
    options.warnings === true
      ? await (await import("./warnings/find-warnings.ts")).findWarnings(text, program, metaValue)
      : [];
  return {
    program: `${PREFIX}${body}\n})\n//# sourceURL=${sourceUrl(fileName)}`,
    fileName,
    meta: metaValue,
    warnings,
  };
}

/**
 * Turns the text of a script file into a program that a script worker can evaluate. Lines keep
 * their numbers; columns of the first line move by `WRAPPER_COLUMNS`.
 * @param source JavaScript, or TypeScript that only needs its types erased.
 * @param fileName shown in messages and stacks.
 * @throws PalliumError `script_empty`, `script_syntax`, `script_meta`, `script_import`,
 *   `script_export`, `script_eval` or `script_text`; messages end with ` at file:line:column`.
 */
export async function prepareScript(
  source: string,
  fileName: string,
  options: PrepareOptions = {},
): Promise<PreparedScript> {
  try {
    return await compileScript(source, fileName, options);
  } catch (error) {
    throw error instanceof ScriptFault ? faultError(error, fileName) : error;
  }
}
