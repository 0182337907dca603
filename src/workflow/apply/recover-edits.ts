/** What an earlier process left half-way in a repository is brought to an end before anything else. */
import { isFile } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { EndedChange } from "../edits/checkout/perform-change.ts";
import { recoverChanges } from "../edits/checkout/recover.ts";
import { openLedger } from "../edits/locks/ledger.ts";
import { mayBeUnfinished } from "../edits/locks/ledger-folder.ts";
import type { WorkflowPowers } from "../powers.ts";
import { noteOf, recordChange } from "./records.ts";

type RecoveryPowers = Pick<WorkflowPowers, "git" | "clock" | "openStore">;

/**
 * Finishes or undoes changes to checkouts that were interrupted; looks at one file where there are none.
 * @param commonDir absolute git directory that the working trees of the repository share.
 * @param runId in whose name the repository is held meanwhile.
 * @param say is told what was done.
 */
export async function recoverEdits(
  powers: RecoveryPowers,
  commonDir: string,
  runId: string,
  say: (line: string) => void,
): Promise<void> {
  if (!(await mayBeUnfinished(commonDir))) return;
  const ledger = await openLedger(commonDir);
  try {
    const { git, clock } = powers;
    const tell = (ended: EndedChange) => tellStore(powers, ended);
    const { lines } = await recoverChanges({ git, ledger, commonDir, clock, tell }, runId);
    for (const line of lines) say(line);
  } finally {
    ledger.close();
  }
}

/** Writes into the store that the run is in, wherever that is; one that is gone is not made anew. */
async function tellStore(powers: RecoveryPowers, ended: EndedChange): Promise<void> {
  const note = noteOf(ended.note);
  if (note === undefined || !(await isFile(note.store))) return;
  const store = await powers.openStore(note.store);
  try {
    await tell(store, powers, ended);
  } finally {
    store.close();
  }
}

/** Puts the end of a change into its run's store. */
export async function tell(
  store: Database,
  { clock }: Pick<WorkflowPowers, "clock">,
  ended: EndedChange,
): Promise<void> {
  await store.write((tx) => recordChange(tx, ended, clock.iso()));
}
