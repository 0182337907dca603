/** Writes into the index what is known of the files of a commit: contents, links, risk. */
import type { Git } from "../../platform/git/runner.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { rankRisk } from "../analysis/risk.ts";
import { blobsUpTo, missingBlobs, readBlobs } from "./blobs.ts";
import { isKeptText } from "./kept-text.ts";
import { SIZE_LIMIT, scanFile } from "./scan-file.ts";
import { readTree, readTreeChanges, type TreeChange } from "./tree.ts";
import { writeLinks } from "./write-links.ts";

export interface CommitFiles {
  /** Absolute top of the working tree. */
  readonly root: string;
  readonly commit: string;
  /** The commit whose files the index has; without it, it has none. */
  readonly before?: string;
  /** Whether contents may be missing from the repository. */
  readonly isPartial: boolean;
}

/** Brings files, scans, links and risk in line with a commit. */
export async function writeFiles(git: Git, tx: Transaction, files: CommitFiles): Promise<void> {
  const { root, commit, before } = files;
  const changes =
    before === undefined
      ? (await readTree(git, root, commit)).map((file) => ({ ...file, isNew: true }))
      : await readTreeChanges(git, root, before, commit);
  for (const { path, blob } of changes) writeFile(tx, path, blob);
  await writeScans(git, tx, files, changes);
  for (const { path } of changes) countLines(tx, path);
  writeLinks(tx, before === undefined ? undefined : changes);
  rankRisk(tx);
}

function writeFile(tx: Transaction, path: string, blob: string | undefined): void {
  tx.run(
    `INSERT INTO files (path, blob) VALUES (?, ?)
     ON CONFLICT (path) DO UPDATE SET blob = excluded.blob`,
    path,
    blob ?? null,
  );
}

/** Reads each content once that is not known yet, and forgets those that no file has any more. */
async function writeScans(
  git: Git,
  tx: Transaction,
  { root, commit, isPartial }: CommitFiles,
  changes: readonly TreeChange[],
): Promise<void> {
  const missing = isPartial ? await missingBlobs(git, root, commit) : new Set<string>();
  const pathOf = new Map<string, string>();
  for (const { path, blob } of changes) {
    if (blob !== undefined && !missing.has(blob) && !isScanned(tx, blob)) pathOf.set(blob, path);
  }
  const blobs = await blobsUpTo(git, root, [...pathOf.keys()], SIZE_LIMIT);
  await readBlobs(git, root, blobs, (blob, content) =>
    writeScan(tx, pathOf.get(blob) ?? "", blob, content),
  );
  tx.run("DELETE FROM scans WHERE blob NOT IN (SELECT blob FROM files WHERE blob IS NOT NULL)");
}

function isScanned(tx: Transaction, blob: string): boolean {
  return tx.get("SELECT 1 FROM scans WHERE blob = ?", blob) !== undefined;
}

function writeScan(tx: Transaction, path: string, blob: string, content: Buffer): void {
  const { lines, scan } = scanFile(path, content);
  tx.run(
    "INSERT OR IGNORE INTO scans (blob, lines, scan, text) VALUES (?, ?, ?, ?)",
    blob,
    lines,
    scan === undefined ? null : JSON.stringify(scan),
    isKeptText(path) ? content.toString("utf8") : null,
  );
}

function countLines(tx: Transaction, path: string): void {
  tx.run(
    `UPDATE files SET lines = coalesce((SELECT lines FROM scans WHERE blob = files.blob), 0)
     WHERE path = ?`,
    path,
  );
}
