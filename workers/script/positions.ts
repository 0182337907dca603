/** Reads where in the script an error came from out of its stack. */
import type { Locate } from "./errors.ts";

const FRAME = /(?:^|[\s(])([^\s()]+):(\d+):(\d+)\)?$/;

export interface ProgramText {
  /** Ends with a `//# sourceURL` comment that names the script in stacks. */
  readonly program: string;
  readonly wrapperColumns: number;
}

/** @param stackOf stack text of an error, one frame per line. */
export function createLocate(
  { program, wrapperColumns }: ProgramText,
  stackOf: (error: object) => string,
): Locate {
  const stackText = (error: object) => {
    try {
      return stackOf(error);
    } catch {
      return ""; // What a script throws can be a proxy, or have a `stack` of its own that throws.
    }
  };
  const url = /\n\/\/# sourceURL=(\S+)\s*$/.exec(program)?.[1];
  return (error) => {
    for (const frame of stackText(error).split("\n")) {
      const [, file, line, column] = FRAME.exec(frame) ?? [];
      if (file === undefined || file !== url) continue;
      const moved = line === "1" ? wrapperColumns : 0;
      return { line: Math.max(1, Number(line)), column: Math.max(1, Number(column) - moved) };
    }
    return undefined;
  };
}
