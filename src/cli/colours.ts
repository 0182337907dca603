import type { Environment } from "../platform/environment.ts";

/** Whether the user lets colours be used where a terminal shows them: `--no-color`, `NO_COLOR` and dumb terminals say no. */
export function coloursWanted(environment: Environment, noColor: boolean): boolean {
  const { NO_COLOR = "", TERM } = environment.variables;
  return !noColor && NO_COLOR === "" && TERM !== "dumb";
}
