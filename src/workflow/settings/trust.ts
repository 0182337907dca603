/**
 * Which settings files of repositories the user trusts. Each trust is bound to what the file held
 * when it was given: a file that changed is trusted no more. One record a file, so that no two
 * processes write the same one.
 */
import { join } from "node:path";
import { byText } from "../../lib/by-text.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { readRegularFile } from "../../platform/bounded-read.ts";
import {
  ensurePrivateDir,
  listFiles,
  removeIfThere,
  writeFileDurable,
} from "../../platform/files.ts";
import { sha256 } from "../../platform/hash.ts";

const FOLDER = "trusted";
const LARGEST_BYTES = 64 * 1024;

export interface Trust {
  /** Absolute path of the settings file, links resolved. */
  readonly path: string;
  /** Of what it held. */
  readonly sha256: string;
  /** UTC, ISO 8601. */
  readonly trusted_at: string;
}

export async function readTrust(home: string, path: string): Promise<Trust | undefined> {
  const trust = await readRecord(recordPath(home, path));
  return trust?.path === path ? trust : undefined;
}

export async function writeTrust(home: string, trust: Trust): Promise<void> {
  await ensurePrivateDir(join(home, FOLDER));
  await writeFileDurable(recordPath(home, trust.path), `${JSON.stringify(trust)}\n`);
}

export function removeTrust(home: string, path: string): Promise<void> {
  return removeIfThere(recordPath(home, path));
}

/** By path. */
export async function listTrust(home: string): Promise<readonly Trust[]> {
  const folder = join(home, FOLDER);
  const files = (await listFiles(folder)).filter((name) => name.endsWith(".json"));
  const records = await Promise.all(files.map((name) => readRecord(join(folder, name))));
  return records.filter((trust) => trust !== undefined).sort((a, b) => byText(a.path, b.path));
}

function recordPath(home: string, path: string): string {
  return join(home, FOLDER, `${sha256(path)}.json`);
}

/** A record that is not whole gives no trust. */
async function readRecord(file: string): Promise<Trust | undefined> {
  const bytes = await readRegularFile(file, LARGEST_BYTES);
  const record = bytes === undefined ? undefined : parseJson(bytes.toString("utf8"));
  if (!isRecord(record)) return undefined;
  const { path, sha256: hash, trusted_at } = record;
  if (typeof path !== "string" || typeof hash !== "string" || typeof trusted_at !== "string") {
    return undefined;
  }
  return { path, sha256: hash, trusted_at };
}
