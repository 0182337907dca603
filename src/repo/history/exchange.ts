/**
 * Which commits an index gives up and takes in. It has them in the order in which git lists them, by
 * date across branches: that decides which file an edit is of that another branch renamed meanwhile.
 * So a merge, which brings older commits in, has the newer ones taken out and in again.
 */
import type { Reader } from "../../platform/sqlite/database.ts";
import type { Range } from "./range.ts";

export interface Exchange {
  /** Hashes from the newest to the oldest. */
  readonly out: readonly string[];
  /** Hashes from the newest to the oldest. */
  readonly in: readonly string[];
}

/** Below every id: nothing is taken out yet. */
const NOTHING_OUT = Number.MIN_SAFE_INTEGER;

/**
 * @param list gives the commits of the new history, from the newest, as a fresh index would have them;
 *   it is read as far as the two histories differ in what there is, or in the order.
 * @param most the most commits to take out and in.
 * @returns `undefined` when there are more, or when the index lacks one that it should have.
 */
export async function exchangeFor(
  index: Reader,
  { hasMerges, removed, addedChanges }: Range,
  list: () => AsyncIterable<string>,
  most: number,
): Promise<Exchange | undefined> {
  if (!hasMerges) return { out: removed, in: addedChanges };
  const [goes, comes] = [new Set(removed), new Set(addedChanges)];
  const awaited = new Set(addedChanges);
  const out: string[] = [];
  const taken: string[] = [];
  let last = NOTHING_OUT;

  /** Takes out all that are not older than one, so that those that stay come in again. */
  function takeOut(id: number): void {
    if (id <= last) return;
    for (const hash of hashesBetween(index, last, id)) {
      out.push(hash);
      if (!goes.has(hash)) awaited.add(hash);
    }
    last = id;
  }

  for (const hash of removed) takeOut(idOf(index, hash) ?? NOTHING_OUT);
  if (awaited.size === 0) return { out, in: [] };
  for await (const hash of list()) {
    if (!comes.has(hash)) {
      const id = idOf(index, hash);
      if (id === undefined) return undefined;
      takeOut(id);
    }
    taken.push(hash);
    awaited.delete(hash);
    if (awaited.size === 0) return { out, in: taken };
    if (out.length + taken.length > most) return undefined;
  }
  return undefined;
}

function idOf(index: Reader, hash: string): number | undefined {
  const sql = "SELECT id FROM commits WHERE hash = ?";
  return index.get<{ id: number }>(sql, Buffer.from(hash, "hex"))?.id;
}

function hashesBetween(index: Reader, after: number, last: number): readonly string[] {
  const sql = "SELECT lower(hex(hash)) AS hash FROM commits WHERE id > ? AND id <= ? ORDER BY id";
  return index.all<{ hash: string }>(sql, after, last).map(({ hash }) => hash);
}
