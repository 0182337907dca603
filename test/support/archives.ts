/** Files as `workflow export` writes them, and as nobody should. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { readTarHeader, TAR_BLOCK, tarEnd, tarHeader, tarPadding } from "../../src/lib/tar.ts";

export interface Entry {
  readonly name: string;
  readonly text: string;
  /** Of the tar header, where it is not that of a plain file. */
  readonly type?: string;
}

/** Entries without the manifest. */
export async function readEntries(path: string): Promise<Entry[]> {
  const bytes = gunzipSync(await readFile(path));
  const entries: Entry[] = [];
  for (let at = 0; ; ) {
    const header = readTarHeader(bytes.subarray(at, at + TAR_BLOCK));
    if (typeof header === "string") throw new Error(header);
    if (header.kind === "end") return entries;
    at += TAR_BLOCK;
    const text = bytes.toString("latin1", at, at + header.size);
    at += header.size + tarPadding(header.size).length;
    if (header.name !== "manifest.json") entries.push({ name: header.name, text });
  }
}

/** With a manifest that fits, unless `manifest` is given. */
export async function writeEntries(
  path: string,
  entries: readonly Entry[],
  manifest: string | undefined = manifestOf(entries),
): Promise<void> {
  const all = manifest === "" ? entries : [...entries, { name: "manifest.json", text: manifest }];
  await writeFile(path, gzipSync(Buffer.concat([...all.flatMap(blocks), tarEnd()])));
}

function blocks({ name, text, type }: Entry): Uint8Array[] {
  const content = Buffer.from(text, "latin1");
  const header = tarHeader({ name, size: content.length });
  if (type !== undefined) retype(header, type);
  return [header, content, tarPadding(content.length)];
}

/** The checksum is that of the bytes, the eight of its own place taken for blanks. */
function retype(header: Uint8Array, type: string): void {
  const before = header[156] ?? 0;
  header[156] = type.charCodeAt(0);
  const sum = Number.parseInt(Buffer.from(header.subarray(148, 154)).toString(), 8);
  const text = (sum - before + header[156]).toString(8).padStart(6, "0");
  header.set(Buffer.from(text), 148);
}

export function manifestOf(entries: readonly Entry[]): string {
  const listed = entries.map(({ name, text }) => {
    const content = Buffer.from(text, "latin1");
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { name, bytes: content.length, sha256 };
  });
  return `${JSON.stringify({ entries: listed })}\n`;
}
