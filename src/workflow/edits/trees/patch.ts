/** Patches as files: what a person reads, keeps and can apply with git alone. */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { ensurePrivateDir, writeFileDurable } from "../../../platform/files.ts";
import type { TreeStore } from "./tree-store.ts";

const FORM = ["diff-tree", "-r", "-p", "--binary", "--full-index", "-M"];

/** The patch from one tree to another, as git writes it. */
export async function* readPatch(
  store: Pick<TreeStore, "stream">,
  from: string,
  to: string,
): AsyncGenerator<Uint8Array> {
  if (from !== to) yield* store.stream([...FORM, from, to]);
}

/** A patch on file. */
export interface PatchFile {
  readonly path: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
}

/** Writes the patch between two trees so that it survives a power cut. */
export async function writePatch(
  store: Pick<TreeStore, "stream">,
  path: string,
  from: string,
  to: string,
): Promise<PatchFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of readPatch(store, from, to)) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await ensurePrivateDir(dirname(path));
  await writeFileDurable(path, counted());
  return { path, hash: hash.digest("hex"), bytes };
}

/** Where the patch of what others had done stands, beside that of an edit that does not go together with it. */
export function othersPatch(path: string): string {
  return path.replace(/\.patch$/, ".others.patch");
}
