import type { ReadResult } from "../../workflow/service.ts";

/** The result of a run, so that it can be piped on; without one, why there is none. */
export function readText({ result, error }: ReadResult): string {
  if (result !== "") return result;
  return error === "" ? "No result recorded." : error;
}
