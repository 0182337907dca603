/** Recordings as files that are meant to be committed: one JSON document per call, patches beside. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import {
  ensurePrivateDir,
  listFiles,
  readTextFile,
  removeIfThere,
  writeFileDurable,
} from "../../platform/files.ts";
import { sha256 } from "../../platform/hash.ts";
import type { Recording } from "./recording.ts";

/** Of hashes in file names. */
const KEY_DIGITS = 12;
const PLACE_DIGITS = 6;
const LONGEST_LABEL = 40;
const READABLE_BY_ALL = 0o644;

export interface RecordedFile {
  /** Name in the folder. */
  readonly name: string;
  readonly recording: Recording;
}

export function patchOf(folder: string, { name }: Pick<RecordedFile, "name">): string {
  return join(folder, name.replace(/\.json$/, ".patch"));
}

/** The same call has the same name in every recording of a workflow. */
export function nameOf({ call, key, scope, occurrence }: Recording): string {
  const label = (call.label || call.primitive).replace(/[^A-Za-z0-9_-]+/g, "-");
  const place = sha256(`${scope}:${occurrence}`).slice(0, PLACE_DIGITS);
  return `${label.slice(0, LONGEST_LABEL)}-${key.slice(0, KEY_DIGITS)}-${place}.json`;
}

/** @returns the file's name. */
export async function writeRecording(
  folder: string,
  recording: Recording,
  patch: Uint8Array | undefined,
): Promise<string> {
  await ensurePrivateDir(folder);
  const name = nameOf(recording);
  const patchFile = patchOf(folder, { name });
  if (patch === undefined) await removeIfThere(patchFile);
  else await writeFileDurable(patchFile, patch, READABLE_BY_ALL);
  const text = `${JSON.stringify(recording, null, 2)}\n`;
  await writeFileDurable(join(folder, name), text, READABLE_BY_ALL);
  return name;
}

/** @throws PalliumError `recording_invalid` */
export async function readRecordings(folder: string): Promise<readonly RecordedFile[]> {
  const names = (await listFiles(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => {
      const recording = parseJson((await readTextFile(join(folder, name))) ?? "");
      if (isRecording(recording)) return { name, recording };
      throw new PalliumError(
        "recording_invalid",
        `${join(folder, name)} is no recording of a call`,
        { fatal: true, hints: ["record it again with --record, or remove the file"] },
      );
    }),
  );
}

function isRecording(value: unknown): value is Recording {
  if (!isRecord(value) || value.version !== 1 || typeof value.key !== "string") return false;
  const { call, answer } = value;
  if (!isRecord(call) || !isLines(call.prompt) || !isRecord(answer)) return false;
  return answer.ok === true ? isLines(answer.text) : typeof answer.outcome === "string";
}

function isLines(value: unknown): boolean {
  return Array.isArray(value) && value.every((line) => typeof line === "string");
}
