/** Writes into the index what is known of the files of a commit: contents, links, risk. */
import { readBlobs } from "../../platform/git/read-blobs.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { RANKS, rankRisk } from "../analysis/rank-risk.ts";
import { movedNames } from "../history/moved-names.ts";
import type { FileCommits } from "../history/write-index.ts";
import { blobsUpTo, missingBlobs } from "./blobs.ts";
import { isKeptText } from "./kept-text.ts";
import { readAs } from "./read-as.ts";
import { SIZE_LIMIT, scanFile } from "./scan-file.ts";
import { type LinkChange, linkChange } from "./stale-links.ts";
import { readTree, readTreeChanges, type TreeChange } from "./tree.ts";
import { writeLinks } from "./write-links.ts";

export interface CommitFiles extends FileCommits {
  /** Absolute top of the working tree. */
  readonly root: string;
}

/** What a file has that the commit does not. */
const NO_RANKS = RANKS.map((column) => `${column} = 0`).join(", ");

/**
 * Reads the contents that the index does not know. It touches nothing that the history is written
 * to, so both can be done at the same time.
 * @returns what has changed, for `writeFiles`.
 */
export async function scanFiles(
  git: Git,
  tx: Transaction,
  files: CommitFiles,
): Promise<readonly TreeChange[]> {
  const { root, commit, before } = files;
  const changes =
    before === undefined
      ? await readTree(git, root, commit)
      : await readTreeChanges(git, root, before, commit);
  await writeScans(git, tx, files, changes);
  return changes;
}

/** Brings files, links and risk in line with a commit, once history and contents are written. */
export function writeFiles(
  tx: Transaction,
  { before }: CommitFiles,
  changes: readonly TreeChange[],
): void {
  const restored = before === undefined ? [] : restoreNames(tx, changes);
  for (const { path, blob } of changes) writeFile(tx, path, blob);
  // Before the contents of the commit before are forgotten: whether a file says the same is asked.
  const telling =
    before === undefined
      ? undefined
      : [...restored, ...changes.flatMap((one) => linkChange(tx, one) ?? [])];
  tx.run(
    `DELETE FROM scans WHERE blob IN (SELECT value FROM json_each(?))
       AND (blob, read_as) NOT IN (SELECT blob, read_as FROM files WHERE blob IS NOT NULL)`,
    JSON.stringify(changes.flatMap(({ blobBefore }) => blobBefore ?? [])),
  );
  writeLinks(tx, telling);
  rankRisk(tx);
}

/**
 * Gives the names that renames have moved, and that no change is about, the contents they had.
 * @returns the moved names that a file has now: it may be another to the history.
 */
function restoreNames(tx: Transaction, changes: readonly TreeChange[]): readonly LinkChange[] {
  const changed = new Map(changes.map((change) => [change.path, change]));
  const restored: LinkChange[] = [];
  for (const { path, blob: blobBefore } of movedNames(tx)) {
    const change = changed.get(path);
    if (change === undefined) writeFile(tx, path, blobBefore ?? undefined);
    const blob = change === undefined ? blobBefore : change.blob;
    if (blob) restored.push({ path, what: "name" });
  }
  return restored;
}

function writeFile(tx: Transaction, path: string, blob: string | undefined): void {
  if (blob === undefined) {
    tx.run(
      `UPDATE files SET blob = NULL, read_as = NULL, lines = 0, ${NO_RANKS} WHERE path = ?`,
      path,
    );
    return;
  }
  tx.run(
    `INSERT INTO files (path, blob, read_as, lines)
     VALUES (?1, ?2, ?3, coalesce((SELECT lines FROM scans WHERE blob = ?2 AND read_as = ?3), 0))
     ON CONFLICT (path) DO UPDATE
       SET blob = excluded.blob, read_as = excluded.read_as, lines = excluded.lines`,
    path,
    blob,
    readAs(path),
  );
}

/** Reads each content once, and looks at it as each language whose file has it. */
async function writeScans(
  git: Git,
  tx: Transaction,
  { root, commit, isPartial, signal }: CommitFiles,
  changes: readonly TreeChange[],
): Promise<void> {
  const missing = isPartial ? await missingBlobs(git, root, commit) : new Set<string>();
  const pathsOf = new Map<string, Map<string, string>>();
  for (const { path, blob } of changes) {
    const as = readAs(path);
    if (blob === undefined || missing.has(blob) || isScanned(tx, blob, as)) continue;
    const paths = pathsOf.get(blob) ?? new Map<string, string>();
    pathsOf.set(blob, paths.set(as, path));
  }
  const blobs = await blobsUpTo(git, root, [...pathsOf.keys()], SIZE_LIMIT);
  const options = signal === undefined ? { cwd: root } : { cwd: root, signal };
  await readBlobs(git, blobs, options, (blob, content) => {
    for (const path of pathsOf.get(blob)?.values() ?? []) writeScan(tx, path, blob, content);
  });
}

function isScanned(tx: Transaction, blob: string, as: string): boolean {
  return tx.get("SELECT 1 FROM scans WHERE blob = ? AND read_as = ?", blob, as) !== undefined;
}

function writeScan(tx: Transaction, path: string, blob: string, content: Buffer): void {
  const { lines, scan } = scanFile(path, content);
  tx.run(
    "INSERT INTO scans (blob, read_as, lines, scan, text) VALUES (?, ?, ?, ?, ?)",
    blob,
    readAs(path),
    lines,
    scan === undefined ? null : JSON.stringify(scan),
    isKeptText(path) ? content.toString("utf8") : null,
  );
}
