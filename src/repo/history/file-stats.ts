/** What the touches of each file add up to. */
import type { Transaction } from "../../platform/sqlite/database.ts";

const SUMS = `
  UPDATE files SET (churn, last_touched_at, heat, fix_heat) = (
    SELECT count(*), coalesce(max(committed_at), 0), coalesce(sum(weight), 0),
      coalesce(sum(weight * is_fix), 0)
    FROM touches JOIN commits ON commits.id = commit_id WHERE file_id = files.id
  ) WHERE id = ?`;

/** Programs do not count as authors; those who are named in the message do. */
const AUTHORS = `
  UPDATE files SET author_count = (
    SELECT count(*) FROM authors WHERE is_bot = 0 AND id IN (
      SELECT author_id FROM touches JOIN commits ON commits.id = commit_id
        WHERE file_id = files.id
      UNION
      SELECT author_id FROM touches JOIN co_authors USING (commit_id) WHERE file_id = files.id
    )
  ) WHERE id = ?`;

/** Adds up some files again. */
export function sumFiles(tx: Transaction, files: Iterable<number>): void {
  for (const file of files) {
    tx.run(SUMS, file);
    tx.run(AUTHORS, file);
  }
}

/** What a commit adds to the files it touches. */
export interface CommitShare {
  /** Seconds since 1970. */
  readonly committedAt: number;
  readonly weight: number;
  readonly isFix: boolean;
  /** Id of who committed it; absent where that is a program. */
  readonly author?: number;
}

/** What a file comes to. */
export interface FileSums {
  readonly churn: number;
  readonly authorCount: number;
  readonly lastTouchedAt: number;
  readonly heat: number;
  readonly fixHeat: number;
}

/** Adds up while all commits come by, which takes a tenth of asking for each file afterwards. */
export interface Tally {
  add(file: number, share: CommitShare): void;
  /** Counts somebody else who wrote a commit that touched the file. */
  addAuthor(file: number, author: number): void;
  of(file: number): FileSums;
}

export function createTally(): Tally {
  const files = new Map<number, RunningSums>();
  const known = new Set<number>();

  function sumsOf(file: number): RunningSums {
    const found = files.get(file);
    if (found !== undefined) return found;
    const heat = { total: 0, lost: 0 };
    const fixHeat = { total: 0, lost: 0 };
    const fresh = {
      churn: 0,
      authorCount: 0,
      lastTouchedAt: Number.NEGATIVE_INFINITY,
      heat,
      fixHeat,
    };
    files.set(file, fresh);
    return fresh;
  }

  function addAuthor(file: number, author: number): void {
    const before = known.size;
    known.add(file * MOST_AUTHORS + author);
    if (known.size > before) sumsOf(file).authorCount += 1;
  }

  return {
    addAuthor,
    add(file, { committedAt, weight, isFix, author }) {
      const sums = sumsOf(file);
      sums.churn += 1;
      sums.lastTouchedAt = Math.max(sums.lastTouchedAt, committedAt);
      increase(sums.heat, weight);
      if (isFix) increase(sums.fixHeat, weight);
      if (author !== undefined) addAuthor(file, author);
    },
    of(file) {
      const { heat, fixHeat, ...exact } = sumsOf(file);
      return { ...exact, heat: heat.total + heat.lost, fixHeat: fixHeat.total + fixHeat.lost };
    },
  };
}

/** Keeps pairs of a file and an author apart from one another as one number. */
const MOST_AUTHORS = 2 ** 24;

interface RunningSums {
  churn: number;
  authorCount: number;
  lastTouchedAt: number;
  readonly heat: Sum;
  readonly fixHeat: Sum;
}

/** Compensated (Neumaier 1974), as SQLite sums, so that the order of the commits does not show. */
interface Sum {
  total: number;
  lost: number;
}

function increase(sum: Sum, by: number): void {
  const next = sum.total + by;
  const isLarger = Math.abs(sum.total) > Math.abs(by);
  sum.lost += isLarger ? sum.total - next + by : by - next + sum.total;
  sum.total = next;
}
