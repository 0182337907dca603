/** Puts the files of a working tree into the store, byte for byte. */
import { join } from "node:path";
import { encodePath } from "../../../lib/git-path.ts";
import { writePrivateFile } from "../../../platform/files.ts";
import {
  createLook,
  type FileMode,
  isReadable,
  readLink,
} from "../../../platform/tree-files/look.ts";
import type { TreeEntry } from "./tree.ts";
import type { RepositoryKind, TreeStore } from "./tree-store.ts";

/** Bytes that end a line of hash-object's input, or begin a quoted one. */
const NEEDS_QUOTES = /[\n\r]|^"/;

/**
 * Writes the contents of files, and where links point to, into the store; no filter and no
 * conversion of line ends touches them.
 * @param paths relative to `root`; what is no file and no link, missing or unreadable is left out.
 * @param before what was put there: where the repository's settings say that the file system does
 *   not tell executables, or has no links, they are taken from it.
 */
export async function storeFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
  before: ReadonlyMap<string, TreeEntry> = new Map(),
): Promise<ReadonlyMap<string, TreeEntry>> {
  const look = createLook(root);
  const files: { readonly path: string; readonly mode: string }[] = [];
  const links: string[] = [];
  for (const path of paths) {
    const kind = look(path)?.kind;
    if (kind === "120000") links.push(path);
    else if ((kind === "100644" || kind === "100755") && isReadable(root, path)) {
      files.push({ path, mode: modeOf(store.kind, kind, before.get(path)?.mode) });
    }
  }
  const names = files.map(({ path }) => path);
  const blobs = await hashFiles(store, root, names);
  const entries = new Map(
    files.map(({ path, mode }, index) => [path, { mode, blob: blobs[index] ?? "" }]),
  );
  for (const [path, blob] of await storeLinks(store, root, links)) {
    entries.set(path, { mode: "120000", blob });
  }
  return entries;
}

function modeOf({ hasExecutables, hasLinks }: RepositoryKind, kind: FileMode, before?: string) {
  if (!hasLinks && before === "120000") return before;
  if (hasExecutables) return kind;
  return before === "100755" ? before : "100644";
}

/** Where links point to, as contents. */
async function storeLinks(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<readonly (readonly [path: string, blob: string])[]> {
  if (paths.length === 0) return [];
  await using folder = await store.temporary();
  for (const [index, path] of paths.entries()) {
    await writePrivateFile(join(folder.path, String(index)), await readLink(root, path));
  }
  const blobs = await hashFiles(store, folder.path, [...paths.keys()].map(String));
  return paths.map((path, index) => [path, blobs[index] ?? ""]);
}

async function hashFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  return hashRaw((args, input) => store.run(args, { workTree: root, input }), paths);
}

/**
 * Writes the contents of files as objects, byte for byte.
 * @param run runs git where the files are; it says which repository gets the objects.
 * @returns their hashes, in the order of the paths.
 */
export async function hashRaw(
  run: (args: readonly string[], input: Buffer) => Promise<{ readonly stdout: string }>,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
  const { stdout } = await run(args, Buffer.concat(paths.map(inputLine)));
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
