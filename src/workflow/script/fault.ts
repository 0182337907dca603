import { getLineInfo } from "acorn";
import { PalliumError } from "../../lib/errors.ts";

/** A place in a script as editors count: line and column from 1, columns in UTF-16 units. */
export interface ScriptPosition {
  readonly line: number;
  readonly column: number;
}

/** Something a script's author should know though the script can run. */
export interface ScriptWarning extends ScriptPosition {
  readonly code: string;
  /** One sentence without the place. */
  readonly message: string;
}

export type ScriptFaultCode =
  | "script_empty"
  | "script_syntax"
  | "script_meta"
  | "script_import"
  | "script_export"
  | "script_eval"
  | "script_text";

/** Why a script cannot run. It knows the place but not yet the file's name. */
export class ScriptFault extends Error {
  override readonly name = "ScriptFault";
  readonly code: ScriptFaultCode;
  /** Absent only where the script as a whole is at fault. */
  readonly position: ScriptPosition | undefined;
  readonly hints: readonly string[];

  constructor(
    code: ScriptFaultCode,
    message: string,
    position: ScriptPosition | undefined,
    hints: readonly string[],
  ) {
    super(message);
    this.code = code;
    this.position = position;
    this.hints = hints;
  }
}

/** The place of a character of `text`; an offset past its end is the end. */
export function positionAt(text: string, offset: number): ScriptPosition {
  const { line, column } = getLineInfo(text, Math.min(offset, text.length));
  return { line, column: column + 1 };
}

/** Makes the fault for the character at `offset` of `text`. */
export function faultAt(
  text: string,
  offset: number,
  code: ScriptFaultCode,
  message: string,
  ...hints: readonly string[]
): ScriptFault {
  return new ScriptFault(code, message, positionAt(text, offset), hints);
}

/** Writes a message with its place: `Unexpected token at review.js:3:14`. */
export function placed(
  message: string,
  fileName: string,
  position: ScriptPosition | undefined,
): string {
  if (position === undefined) return message;
  return `${message} at ${fileName}:${position.line}:${position.column}`;
}

/** The fault as users of the product see it. */
export function faultError(fault: ScriptFault, fileName: string): PalliumError {
  return new PalliumError(fault.code, placed(fault.message, fileName, fault.position), {
    hints: fault.hints,
    cause: fault,
  });
}
