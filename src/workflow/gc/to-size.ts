/** `workflow gc --max-size`: runs that ended go, the oldest first, until few enough bytes are left. */
import { folderSize } from "../../platform/folder-size.ts";
import { leaseHolder } from "../run/lease.ts";
import { findRun } from "../run/store.ts";
import { type CollectContext, mayGo, type RunFolder } from "./collect-run.ts";
import { collectFolders, type Outcome } from "./one-store.ts";

interface Candidate extends RunFolder {
  /** ISO 8601. */
  readonly endedAt: string;
}

export interface SizedOutcome extends Outcome {
  /** Bytes of the folders of all runs afterwards. */
  readonly bytesKept: number;
}

/**
 * Runs stay that are executed, that a resume may go on with (but for failed ones where the rule includes
 * them), and of which edits are in no checkout.
 * @param folders of runs that the store has on record.
 * @param bytes of the folders of all runs at the moment, those of other stores too.
 */
export async function collectToSize(
  context: CollectContext,
  folders: readonly RunFolder[],
  { bytes, maxBytes, isDryRun }: { bytes: number; maxBytes: number; isDryRun: boolean },
): Promise<SizedOutcome> {
  const whenever: CollectContext = {
    ...context,
    rule: { ...context.rule, endedBefore: Number.POSITIVE_INFINITY, unappliedStay: true },
  };
  const outcomes: Outcome[] = [];
  let rest = oldestFirst(whenever, folders);
  let kept = bytes;
  while (kept > maxBytes && rest.length > 0) {
    const batch = await enough(rest, kept - maxBytes);
    rest = rest.slice(batch.length);
    const outcome = await collectFolders(whenever, batch, isDryRun);
    kept -= outcome.removed.reduce((sum, removed) => sum + removed.bytes, 0);
    outcomes.push(outcome);
  }
  return {
    removed: outcomes.flatMap(({ removed }) => removed),
    leftOvers: [],
    skipped: outcomes.flatMap(({ skipped }) => skipped),
    bytesKept: Math.max(0, kept),
  };
}

function oldestFirst(
  { database, powers, rule }: CollectContext,
  folders: readonly RunFolder[],
): readonly Candidate[] {
  return folders
    .flatMap((folder): Candidate[] => {
      const run = findRun(database, folder.id);
      if (run === undefined || leaseHolder(database, folder.id, powers.clock) !== undefined)
        return [];
      const endedAt = run.completed_at ?? run.updated_at;
      return mayGo(database, run, rule) ? [{ ...folder, endedAt }] : [];
    })
    .sort((one, other) => (one.endedAt < other.endedAt ? -1 : 1));
}

/** As many from the beginning as have so many bytes together. */
async function enough(
  candidates: readonly Candidate[],
  bytes: number,
): Promise<readonly RunFolder[]> {
  const taken: RunFolder[] = [];
  let sum = 0;
  for (const { id, path } of candidates) {
    taken.push({ id, path });
    sum += await folderSize(path);
    if (sum >= bytes) break;
  }
  return taken;
}
