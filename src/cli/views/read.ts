import type { ReadResult } from "../../workflow/service.ts";
import { droppedLines } from "./run.ts";

/** The result of a run, after its error and before what was dropped. */
export function readText({ result, error, failures }: ReadResult): string {
  const main = error !== "" ? [error] : [];
  if (result !== "") main.push(result);
  return [...(main.length === 0 ? ["No result recorded."] : main), ...droppedLines(failures)].join(
    "\n",
  );
}
