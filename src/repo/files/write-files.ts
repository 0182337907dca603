/** Writes into the index what is known of the files of a commit: contents, imports, risk. */
import type { Git } from "../../platform/git/runner.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { isPartialClone } from "../history/read-log.ts";
import type { Repository } from "../identity.ts";
import { readBlobs } from "./blobs.ts";
import { isKeptText } from "./kept-text.ts";
import { SIZE_LIMIT, scanFile } from "./scan-file.ts";
import { readTree, type TreeFile } from "./tree.ts";
import { writeLinks } from "./write-links.ts";

/** Brings files, scans and links in line with a commit. */
export async function writeFiles(
  git: Git,
  { root, commonDir }: Repository,
  tx: Transaction,
  commit: string,
): Promise<void> {
  const withSizes = !(await isPartialClone(git, commonDir));
  const files = await readTree(git, root, commit, withSizes);
  writeTree(tx, files);
  const missing = unscanned(tx, files);
  await readBlobs(git, root, [...missing.keys()], (blob, content) => {
    if (content.length <= SIZE_LIMIT) writeScan(tx, missing.get(blob) ?? "", blob, content);
  });
  tx.run("DELETE FROM scans WHERE blob NOT IN (SELECT blob FROM files WHERE blob IS NOT NULL)");
  tx.run("UPDATE files SET lines = coalesce((SELECT lines FROM scans WHERE blob = files.blob), 0)");
  writeLinks(tx);
}

function writeTree(tx: Transaction, files: readonly TreeFile[]): void {
  tx.run("UPDATE files SET blob = NULL WHERE blob IS NOT NULL");
  for (const { path, blob } of files) {
    tx.run(
      `INSERT INTO files (path, blob) VALUES (?, ?)
       ON CONFLICT (path) DO UPDATE SET blob = excluded.blob`,
      path,
      blob,
    );
  }
}

/** What has to be read, each content once, with a path that says what it is. */
function unscanned(tx: Transaction, files: readonly TreeFile[]): ReadonlyMap<string, string> {
  const known = new Set(tx.all<{ blob: string }>("SELECT blob FROM scans").map((row) => row.blob));
  const missing = files.filter(({ blob, size = 0 }) => size <= SIZE_LIMIT && !known.has(blob));
  return new Map(missing.map(({ blob, path }) => [blob, path]));
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
