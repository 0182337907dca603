/** Unpacks an exported run to a folder, and believes nothing of it that it has not looked at. */
import { dirname, join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { archiveInvalid, type ReadEntry, readArchive } from "../../platform/archive-file/read.ts";
import { systemCode } from "../../platform/file-error.ts";
import { ensurePrivateDir, writeNewFile } from "../../platform/files.ts";
import { type RunningHash, runningSha256 } from "../../platform/hash.ts";
import {
  FILES,
  FORMAT,
  FORMAT_VERSION,
  HEADER_ENTRY,
  isExportedFile,
  isExportedTable,
  isSafePath,
  MANIFEST_ENTRY,
  ROWS,
  TEXTS,
} from "./format.ts";
import type { Staging } from "./staging.ts";

export interface UnpackedRun {
  /** Id that it had where it was exported. */
  readonly id: string;
  /** Files of rows, absolute, in the order of the archive. */
  readonly rows: readonly { readonly table: string; readonly path: string }[];
  /** Hashes of texts. */
  readonly texts: readonly string[];
  readonly files: readonly string[];
}

/** Of entries that are read at once. */
const SMALL = 1024 * 1024;
/** One for each file of a run. */
const MANIFEST_LIMIT = 1024 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;
const TAKEN = ["EEXIST", "EISDIR", "ENOTDIR"];
const ROWS_NAME = /^rows\/([a-z_]+)\/(\d{6,})\.jsonl$/;

/**
 * All of it is in the staging afterwards, and is what the manifest says.
 * @throws PalliumError `archive_not_found`, `archive_invalid`, `archive_newer`, and those of writing files.
 */
export async function unpackRun(path: string, staging: Staging): Promise<UnpackedRun> {
  const refuse = (why: string) => archiveInvalid(path, why);
  const seen = new Map<string, { bytes: number; sha256: string }>();
  const found = {
    rows: [] as { table: string; path: string }[],
    texts: [] as string[],
    files: [] as string[],
  };
  let id: string | undefined;
  let isWhole = false;
  for await (const entry of readArchive(path)) {
    const { name, size } = entry;
    if (isWhole || seen.has(name)) throw refuse(`${name} is in it too often, or out of place`);
    if (name === MANIFEST_ENTRY) {
      assertAsListed(await textOf(entry, MANIFEST_LIMIT, refuse), seen, refuse);
      isWhole = true;
      continue;
    }
    const hash = runningSha256();
    const content = hashed(entry.content, hash);
    if (id === undefined) {
      if (name !== HEADER_ENTRY) throw refuse(`it begins with ${name}`);
      id = idOf(await textOf({ ...entry, content }, SMALL, refuse), path);
    } else {
      await place(name, content, { staging, found, refuse });
    }
    const sha256 = hash.hex();
    if (name.startsWith(TEXTS) && name !== TEXTS + sha256)
      throw refuse(`${name} is not what it is called`);
    seen.set(name, { bytes: size, sha256 });
  }
  if (id === undefined || !isWhole) throw refuse("it ends too early");
  return { id, ...found };
}

interface Placing {
  readonly staging: Staging;
  readonly found: { rows: { table: string; path: string }[]; texts: string[]; files: string[] };
  readonly refuse: (why: string) => PalliumError;
}

async function place(
  name: string,
  content: AsyncIterable<Uint8Array>,
  { staging, found, refuse }: Placing,
): Promise<void> {
  const [, table = "", number = ""] = ROWS_NAME.exec(name) ?? [];
  const hash = name.slice(TEXTS.length);
  const file = name.slice(FILES.length);
  let target: string;
  if (name.startsWith(ROWS) && isExportedTable(table)) {
    target = join(staging.rows, `${table}-${number}`);
    found.rows.push({ table, path: target });
  } else if (name.startsWith(TEXTS) && HASH.test(hash)) {
    target = join(staging.texts, hash);
    found.texts.push(hash);
  } else if (name.startsWith(FILES) && isSafePath(file) && isExportedFile(file)) {
    target = join(staging.files, file);
    found.files.push(file);
  } else {
    throw refuse(`it holds what no exported run does: ${JSON.stringify(name)}`);
  }
  await writeOnce(target, content, () => refuse(`${name} is in the place of another`));
}

/** Names that are one on this system, or a file and a folder, are not what was exported. */
async function writeOnce(
  path: string,
  content: AsyncIterable<Uint8Array>,
  taken: () => PalliumError,
): Promise<void> {
  try {
    await ensurePrivateDir(dirname(path));
    await writeNewFile(path, content);
  } catch (error) {
    const cause = error instanceof PalliumError ? systemCode(error.cause) : undefined;
    throw TAKEN.includes(cause ?? "") ? taken() : error;
  }
}

function idOf(text: string, path: string): string {
  const header = parseJson(text);
  if (!isRecord(header) || header.format !== FORMAT || typeof header.id !== "string") {
    throw archiveInvalid(path, "it does not begin as one");
  }
  if (header.version !== FORMAT_VERSION) {
    throw new PalliumError(
      "archive_newer",
      `${path} is of version ${String(header.version)}, and this pallium reads version ${FORMAT_VERSION}`,
      { hints: ["import it with the pallium that exported it, or a newer one"] },
    );
  }
  return header.id;
}

/** What was read is what was written: no entry is missing, more than there was, or another. */
function assertAsListed(
  text: string,
  seen: ReadonlyMap<string, { bytes: number; sha256: string }>,
  refuse: (why: string) => PalliumError,
): void {
  const manifest = parseJson(text);
  const entries = isRecord(manifest) && Array.isArray(manifest.entries) ? manifest.entries : [];
  if (entries.length !== seen.size) throw refuse("its manifest lists other files");
  for (const entry of entries) {
    const found = isRecord(entry) ? seen.get(String(entry.name)) : undefined;
    if (!isRecord(entry) || found === undefined) throw refuse("its manifest lists other files");
    if (entry.bytes === found.bytes && entry.sha256 === found.sha256) continue;
    throw refuse(`${String(entry.name)} is not what its manifest says`);
  }
}

async function textOf(
  { name, size, content }: ReadEntry,
  limit: number,
  refuse: (why: string) => PalliumError,
): Promise<string> {
  if (size > limit) throw refuse(`${name} is too large`);
  return Buffer.concat(await Array.fromAsync(content)).toString("utf8");
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: RunningHash,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}
