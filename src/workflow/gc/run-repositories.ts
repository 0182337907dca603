/** The repositories that a run had to do with, and what of it is still going on or left there. */
import { isAbsolute } from "node:path";
import { exists, isDirectory, realPath } from "../../platform/files.ts";
import { commonDirAround } from "../../platform/git/common-dir.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { recoverEdits } from "../apply/recover-edits.ts";
import { readIntents } from "../edits/checkout/intents.ts";
import { openLedger } from "../edits/locks/ledger.ts";
import { ledgerFile } from "../edits/locks/ledger-folder.ts";
import { dropDeadLocks } from "../edits/locks/lock-row.ts";
import { editorOf } from "../edits/locks/repo-lock.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { RunRow } from "../run/store.ts";

type Powers = Pick<WorkflowPowers, "git" | "clock" | "openStore">;

/** Git directories, each once, of every repository that still is where the run found it. */
export async function repositoriesOf(
  reader: Reader,
  { id, cwd }: Pick<RunRow, "id" | "cwd">,
): Promise<readonly string[]> {
  const folders = reader.all<{ folder: string }>(
    `SELECT root AS folder FROM workflow_edit_bases WHERE run_id = ?
     UNION SELECT repo FROM workflow_calls WHERE run_id = ? AND repo <> '' UNION SELECT ?`,
    id,
    id,
    cwd,
  );
  const found = new Set<string>();
  for (const { folder } of folders) {
    const commonDir = isAbsolute(folder) ? await commonDirAround(folder) : undefined;
    if (commonDir === undefined || !(await isDirectory(commonDir))) continue;
    found.add(await realPath(commonDir));
  }
  return [...found];
}

/**
 * Why a repository still needs the files of a run; `undefined` where it does not. A change to a
 * checkout that a dead process left half-way is brought to an end first.
 * @param say is told what was done.
 * @throws PalliumError those of `recoverEdits` and of the ledger, where nobody can know.
 */
export async function needIn(
  powers: Powers,
  commonDir: string,
  runId: string,
  say: (line: string) => void,
): Promise<string | undefined> {
  if (!(await exists(ledgerFile(commonDir)))) return undefined;
  await recoverEdits(powers, commonDir, runId, say);
  const ledger = await openLedger(commonDir);
  try {
    const editor = editorOf(ledger, powers.clock);
    if (editor?.runId === runId) {
      return `process ${editor.owner?.pid} works with its edits in ${editor.root}`;
    }
    const intent = readIntents(ledger).find((one) => one.runId === runId);
    if (intent !== undefined) return `a change to ${intent.root} with its edits is unfinished`;
    await ledger.write((tx) => dropDeadLocks(tx, runId, powers.clock));
    return undefined;
  } finally {
    ledger.close();
  }
}
