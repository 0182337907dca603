/** Writes into the index what is known of the files of a commit: contents, links, risk. */
import { readBlobs } from "../../platform/git/read-blobs.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { RANKS, rankRisk } from "../analysis/rank-risk.ts";
import { movedNames } from "../history/moved-names.ts";
import type { FileCommits, FileWriter } from "../history/write-index.ts";
import { blobsUpTo, missingBlobs } from "./blobs.ts";
import { isKeptText } from "./kept-text.ts";
import { readAs } from "./read-as.ts";
import { SIZE_LIMIT, scanFile } from "./scan-file.ts";
import { type LinkChange, linkChange } from "./stale-links.ts";
import { readTree, readTreeChanges, type TreeChange } from "./tree.ts";
import { writeLinks } from "./write-links.ts";

/** What a file has that the commit does not. */
const NO_RANKS = RANKS.map((column) => `${column} = 0`).join(", ");

/** @param root absolute top of the working tree. */
export function beginFiles(git: Git, root: string, commits: FileCommits): FileWriter {
  const { commit, before } = commits;
  const changes =
    before === undefined ? readTree(git, root, commit) : readTreeChanges(git, root, before, commit);
  const contents = changes.then((all) => readableContents(git, root, commits, all));
  contents.catch(() => {}); // told to who scans
  let known: readonly TreeChange[] = [];
  return {
    async scan(tx) {
      known = await changes;
      await writeScans(git, tx, { root, signal: commits.signal }, await contents);
    },
    finish: (tx) => writeFiles(tx, before, known),
  };
}

/** Brings files, links and risk in line with a commit, once history and contents are written. */
function writeFiles(
  tx: Transaction,
  before: string | undefined,
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
    `DELETE FROM scans WHERE blob IN (SELECT value FROM json_each(?1)) AND (blob, read_as) NOT IN
       (SELECT blob, read_as FROM files WHERE blob IN (SELECT value FROM json_each(?1)))`,
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

/** A content, and a file for each language that it is looked at as. */
interface Content {
  readonly blob: string;
  readonly paths: readonly string[];
}

/** The contents of changed files, as far as they are here and not too large. */
async function readableContents(
  git: Git,
  root: string,
  { commit, isPartial }: FileCommits,
  changes: readonly TreeChange[],
): Promise<readonly Content[]> {
  const missing = isPartial ? await missingBlobs(git, root, commit) : new Set<string>();
  const pathsOf = new Map<string, Map<string, string>>();
  for (const { path, blob } of changes) {
    if (blob === undefined || missing.has(blob)) continue;
    const paths = pathsOf.get(blob) ?? new Map<string, string>();
    pathsOf.set(blob, paths.set(readAs(path), path));
  }
  const blobs = await blobsUpTo(git, root, [...pathsOf.keys()], SIZE_LIMIT);
  return blobs.map((blob) => ({ blob, paths: [...(pathsOf.get(blob)?.values() ?? [])] }));
}

/** Reads each content that the index does not know once. */
async function writeScans(
  git: Git,
  tx: Transaction,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal | undefined },
  contents: readonly Content[],
): Promise<void> {
  const unknown = new Map<string, readonly string[]>();
  for (const { blob, paths } of contents) {
    const unread = paths.filter((path) => !isScanned(tx, blob, readAs(path)));
    if (unread.length > 0) unknown.set(blob, unread);
  }
  const options = signal === undefined ? { cwd: root } : { cwd: root, signal };
  await readBlobs(git, [...unknown.keys()], options, (blob, content) => {
    for (const path of unknown.get(blob) ?? []) writeScan(tx, path, blob, content);
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
