/** Runs that were not made by this program, or not here. */
import { PalliumError } from "../../lib/errors.ts";
import { isDirectory } from "../../platform/files.ts";
import type { RunRow } from "./store.ts";

/**
 * Refuses to do with a run of the Go program what takes a journal, or edits as trees: it has neither.
 * @param deed as it reads after "it cannot be", such as `resumed`.
 * @throws PalliumError `run_from_go`
 */
export function assertNotFromGo(
  { id, origin, script_path }: Pick<RunRow, "id" | "origin" | "script_path">,
  deed: string,
): void {
  if (origin !== "go") return;
  throw new PalliumError("run_from_go", `the Go program made run ${id}: it cannot be ${deed}`, {
    hints: [
      `what it recorded is here: pallium workflow inspect ${id}`,
      "its patches are files that git apply takes",
      `to do the work anew: pallium workflow run --script ${script_path}`,
    ],
  });
}

/**
 * Refuses to go on with a run from another machine where the folder it worked in is not there.
 * @throws PalliumError `cwd_not_found`
 */
export async function assertPlaceIsHere({
  id,
  cwd,
  origin,
}: Pick<RunRow, "id" | "cwd" | "origin">): Promise<void> {
  if (origin !== "imported" || (await isDirectory(cwd))) return;
  throw new PalliumError(
    "cwd_not_found",
    `run ${id} was made in a folder that is not here: ${cwd}`,
    {
      hints: [
        "put its repository there, and resume it again",
        `see it: pallium workflow show ${id}`,
      ],
    },
  );
}
