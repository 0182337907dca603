/** Runs whose files `workflow gc` has removed: their records stay, what needs the files does not go any more. */
import { PalliumError } from "../../lib/errors.ts";
import type { RunRow } from "./store.ts";

/**
 * Refuses to do with a run what its files are needed for.
 * @param deed as it reads after "it cannot be", such as `resumed`.
 * @param hints of what else to do.
 * @throws PalliumError `run_collected`
 */
export function assertNotCollected(
  { id, collected_at }: Pick<RunRow, "id" | "collected_at">,
  deed: string,
  hints: readonly string[] = [],
): void {
  if (collected_at === null) return;
  throw new PalliumError(
    "run_collected",
    `the files of run ${id} were removed by workflow gc at ${collected_at}: it cannot be ${deed}`,
    {
      hints: [
        ...hints,
        `its records are kept: pallium workflow show ${id}`,
        "to do the work anew, start another run: pallium workflow run",
      ],
    },
  );
}
