/** What the analyses ask of the index. */
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { weightNow } from "./commit-facts.ts";

/** A file of the index. */
export interface FileRow {
  readonly id: number;
  /** Its present name, or the last one it had. */
  readonly path: string;
  /** Whether the indexed commit has it. */
  readonly isTracked: boolean;
  readonly lines: number;
  /** How many commits touched it, bulk commits included. */
  readonly churn: number;
  /** How many people wrote those; programs are none. */
  readonly authorCount: number;
  /** Seconds since 1970; 0 where no commit is known. */
  readonly lastTouchedAt: number;
  /** Touches of which each counts the less the older it is; one of today counts 1. */
  readonly heat: number;
  /** The same of commits that mend something. */
  readonly fixHeat: number;
  /** Where it stands among the files of the repository, 0 to 100. */
  readonly risk: number;
}

interface RawFile {
  readonly id: number;
  readonly path: string;
  readonly is_tracked: number;
  readonly lines: number;
  readonly churn: number;
  readonly author_count: number;
  readonly last_touched_at: number;
  readonly heat: number;
  readonly fix_heat: number;
  readonly risk: number;
}

const FILE_COLUMNS = `id, path, blob IS NOT NULL AS is_tracked, lines, churn, author_count,
  last_touched_at, heat, fix_heat, risk`;

function fileRow(raw: RawFile, scale: number): FileRow {
  return {
    id: raw.id,
    path: raw.path,
    isTracked: raw.is_tracked === 1,
    lines: raw.lines,
    churn: raw.churn,
    authorCount: raw.author_count,
    lastTouchedAt: raw.last_touched_at,
    heat: raw.heat / scale,
    fixHeat: raw.fix_heat / scale,
    risk: raw.risk,
  };
}

/** The file of that name; `undefined` where the index has none. @param now seconds since 1970. */
export function findFile(index: Reader, path: string, now: number): FileRow | undefined {
  const raw = index.get<RawFile>(`SELECT ${FILE_COLUMNS} FROM files WHERE path = ?`, path);
  return raw && fileRow(raw, weightNow(now));
}

/** When a commit last touched a file, UTC; empty where none is known. */
export function lastTouched({ lastTouchedAt }: FileRow): string {
  return lastTouchedAt === 0 ? "" : isoTime(lastTouchedAt);
}

/** What a file that was once called so is called now, or was when it went. */
export function presentName(index: Reader, oldPath: string): string | undefined {
  return index.get<{ path: string }>(
    `SELECT path FROM renames JOIN files ON files.id = file_id
     WHERE old_path = ? ORDER BY commit_id LIMIT 1`,
    oldPath,
  )?.path;
}

/** Every file of the indexed commit. @param now seconds since 1970. */
export function trackedFiles(index: Reader, now: number): readonly FileRow[] {
  const scale = weightNow(now);
  const sql = `SELECT ${FILE_COLUMNS} FROM files WHERE blob IS NOT NULL ORDER BY path`;
  return index.all<RawFile>(sql).map((raw) => fileRow(raw, scale));
}

/** The riskiest files of the indexed commit whose paths begin with `prefix`. */
export function riskiestFiles(index: Reader, prefix: string, limit: number): readonly string[] {
  const rows = index.all<{ path: string }>(
    `SELECT path FROM files WHERE blob IS NOT NULL AND substr(path, 1, length(?1)) = ?1
     ORDER BY risk DESC, path LIMIT ?2`,
    prefix,
    limit,
  );
  return rows.map(({ path }) => path);
}

/** How often another file was touched together with one, in commits that touched few files. */
export interface TogetherRow {
  readonly path: string;
  readonly isTracked: boolean;
  /** Commits that touched both. */
  readonly count: number;
  /** The same, each counting the less the older it is; one of today counts 1. */
  readonly weight: number;
  /** The same, each counting the less the more files it touched; one of two files counts 1. */
  readonly focus: number;
}

/** What the commits of a file that count for co-change add up to. */
export interface OwnCommits {
  readonly count: number;
  /** As `TogetherRow.focus`. */
  readonly focus: number;
}

/** The commits of a file that count for co-change, and what they touched beside it. */
export interface Together {
  readonly own: OwnCommits;
  /** Deleted files included. */
  readonly others: readonly TogetherRow[];
}

interface RawTogether {
  readonly id: number;
  readonly path: string;
  readonly is_tracked: number;
  readonly count: number;
  readonly weight: number;
  readonly focus: number;
}

/** Of a file with a very long history the latest so many commits are looked at. */
const MOST_COMMITS = 3000;

/** The commits that count for co-change, from the newest; the file itself is in each of them. */
const TOGETHER = `
  WITH own AS (
    SELECT id, weight, weight * 2 / max(2, file_count) AS focus
    FROM touches JOIN commits ON commits.id = commit_id
    WHERE file_id = ? AND weight > 0 ORDER BY commit_id LIMIT ${MOST_COMMITS}
  )
  SELECT id, path, blob IS NOT NULL AS is_tracked, n AS count, weight, focus FROM (
    SELECT file_id, count(*) AS n, sum(own.weight) AS weight, sum(own.focus) AS focus
    FROM own JOIN touches ON commit_id = own.id GROUP BY file_id
  ) JOIN files ON files.id = file_id`;

/** How often files were touched together with one. @param now seconds since 1970. */
export function touchedTogether(index: Reader, file: number, now: number): Together {
  const scale = weightNow(now);
  const rows = index.all<RawTogether>(TOGETHER, file);
  const itself = rows.find(({ id }) => id === file);
  return {
    own: { count: itself?.count ?? 0, focus: (itself?.focus ?? 0) / scale },
    others: rows
      .filter((row) => row !== itself)
      .map(({ path, is_tracked, count, weight, focus }) => ({
        path,
        isTracked: is_tracked === 1,
        count,
        weight: weight / scale,
        focus: focus / scale,
      })),
  };
}

/** A commit as the index has it. */
export interface CommitRow {
  /** Hexadecimal, in full. */
  readonly hash: string;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly committedAt: number;
}

interface RawCommit {
  readonly hash: string;
  readonly subject: string;
  readonly committed_at: number;
}

/** The latest commits that touched a file. */
export function latestCommits(index: Reader, file: number, limit: number): readonly CommitRow[] {
  return index
    .all<RawCommit>(
      `SELECT lower(hex(hash)) AS hash, subject, committed_at
       FROM touches JOIN commits ON commits.id = commit_id
       WHERE file_id = ? ORDER BY commit_id LIMIT ?`,
      file,
      limit,
    )
    .map(({ hash, subject, committed_at }) => ({ hash, subject, committedAt: committed_at }));
}

/** How many commits have touched a file since some moment. @param since seconds since 1970. */
export function touchesSince(index: Reader, file: number, since: number): number {
  const row = index.get<{ n: number }>(
    `SELECT count(*) AS n FROM touches JOIN commits ON commits.id = commit_id
     WHERE file_id = ? AND committed_at >= ?`,
    file,
    since,
  );
  return row?.n ?? 0;
}

/** A link seen from one of its ends. */
export interface LinkRow {
  readonly path: string;
  /** As `LinkKind` of imports. */
  readonly kind: string;
}

/** What a file uses. */
export function linksFrom(index: Reader, file: number): readonly LinkRow[] {
  return index.all<LinkRow>(
    "SELECT path, kind FROM links JOIN files ON files.id = to_id WHERE from_id = ? ORDER BY path",
    file,
  );
}

/** What uses a file. */
export function linksTo(index: Reader, file: number): readonly LinkRow[] {
  return index.all<LinkRow>(
    "SELECT path, kind FROM links JOIN files ON files.id = from_id WHERE to_id = ? ORDER BY path",
    file,
  );
}

/** How much an index holds. */
export interface IndexCounts {
  readonly commits: number;
  readonly files: number;
  readonly links: number;
  /** Ordered pairs of files that one commit touched, over all commits that count for co-change. */
  readonly pairs: number;
}

/** Counts rows; reads all of the tables. */
export function indexCounts(index: Reader): IndexCounts {
  const count = (table: string) =>
    index.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  const pairs = index.get<{ n: number | null }>(
    "SELECT sum(file_count * (file_count - 1)) AS n FROM commits WHERE weight > 0",
  );
  return {
    commits: count("commits"),
    files: count("files"),
    links: count("links"),
    pairs: pairs?.n ?? 0,
  };
}
