/** Puts the files of a working tree into the store, byte for byte. */
import { encodePath } from "../../lib/git-path.ts";
import { createLook, readLink } from "../../platform/tree-files/look.ts";
import type { TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

/** Bytes that end a line of hash-object's input, or begin a quoted one. */
const NEEDS_QUOTES = /[\n\r]|^"/;

/**
 * Writes the contents of files, and where links point to, into the store; no filter and no
 * conversion of line ends touches them.
 * @param paths relative to `root`; what is no file and no link, or missing, is left out.
 */
export async function storeFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const look = createLook(root);
  const found = paths.map((path) => ({ path, kind: look(path)?.kind }));
  const files = found.filter(({ kind }) => kind === "100644" || kind === "100755");
  const entries = new Map<string, TreeEntry>();
  const blobs = await hashFiles(
    store,
    root,
    files.map(({ path }) => path),
  );
  for (const [index, { path, kind }] of files.entries()) {
    entries.set(path, { mode: kind ?? "", blob: blobs[index] ?? "" });
  }
  for (const { path, kind } of found) {
    if (kind !== "120000") continue;
    entries.set(path, { mode: kind, blob: await storeBytes(store, await readLink(root, path)) });
  }
  return entries;
}

/** Writes some bytes into the store and returns their hash. */
export async function storeBytes(store: TreeStore, bytes: Uint8Array): Promise<string> {
  const { stdout } = await store.run(["hash-object", "-w", "--no-filters", "--stdin"], {
    input: bytes,
  });
  return stdout.trim();
}

async function hashFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await store.run(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
    workTree: root,
    input: Buffer.concat(paths.map(inputLine)),
  });
  return stdout.trimEnd().split("\n");
}

function inputLine(path: string): Buffer {
  const name = encodePath(path);
  const text = name.toString("latin1");
  const line = NEEDS_QUOTES.test(text) ? quoted(text) : text;
  return Buffer.from(`${line}\n`, "latin1");
}

function quoted(latin1: string): string {
  const escaped = latin1.replace(
    /[\n\r"\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
