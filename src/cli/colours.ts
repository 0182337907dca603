import type { Environment } from "../platform/environment.ts";

/** Whether the user lets colours be used where a terminal shows them: `--no-color`, `NO_COLOR` and dumb terminals say no. */
export function coloursWanted(environment: Environment, noColor: boolean): boolean {
  const { NO_COLOR = "" } = environment.variables;
  return !noColor && NO_COLOR === "" && !isDumb(environment);
}

/** Whether the terminal knows neither colours nor how to move its cursor. */
export function isDumb({ variables }: Environment): boolean {
  return variables.TERM === "dumb";
}

const FORMATS = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
} as const;

export type Format = keyof typeof FORMATS;

/** Text in a colour or style of the terminal; `styleText` of Node does the same, but loads slowly. */
export function styled(format: Format, text: string): string {
  const [on, off] = FORMATS[format];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
