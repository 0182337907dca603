/** Reads one transcript into the store: all of it, or from where it had grown. */
import { basename } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { type FileBytes, openFileBytes, unpackedBytes } from "../../platform/file-bytes.ts";
import { isFile } from "../../platform/files.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { forgetContent } from "../store/forget-session.ts";
import { endsHash, type Source, writeSource } from "../store/sources.ts";
import { writeBatch, writeSession } from "../store/write-batch.ts";
import { writeSessionWords } from "../store/write-session-words.ts";
import { claudeReader } from "../transcripts/claude.ts";
import { codexReader } from "../transcripts/codex.ts";
import type { TranscriptReader } from "../transcripts/types.ts";
import { addFacts, type Batch, emptyBatch } from "./batch.ts";
import { parseLine } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";
import { createRedactor } from "./redact-batch.ts";
import type { IndexCounts, IndexPowers, IndexRules } from "./rules.ts";

/** What is held before it is written; in characters. */
const BATCH_SIZE = 4_000_000;
/** Of a record that no reader knows so much is kept; in characters. */
const UNKNOWN_SIZE = 20_000;
const PACKED = ".zst";

/** How far a transcript was read. */
interface Progress {
  readonly reader: TranscriptReader;
  bytes: number;
  lines: number;
  malformed: number;
  batch: Batch;
}

export async function readTranscript(
  powers: IndexPowers,
  file: TranscriptFile,
  source: Source | undefined,
  rules: IndexRules,
  counts: IndexCounts,
): Promise<void> {
  using bytes = file.path.endsWith(PACKED)
    ? await unpackedBytes(file.path)
    : openFileBytes(file.path);
  const { size } = bytes;
  const grown = source !== undefined && !rules.force && hasGrown(bytes, source, size);
  const progress = begin(file, grown ? source : undefined);
  const begunAt = progress.bytes;
  let isFirst = !grown;
  let isDuplicate = false;
  const flush = async (): Promise<boolean> => {
    const written = await writeProgress(powers, file, rules, progress, bytes, {
      anew: isFirst,
      earlierPath: source?.path,
    });
    isFirst = false;
    progress.batch = emptyBatch();
    return written;
  };
  for (const line of readLines(bytes, progress.bytes, size)) {
    powers.signal.throwIfAborted();
    if (!readLine(progress, line)) break;
    if (progress.batch.size < BATCH_SIZE) continue;
    isDuplicate = !(await flush());
    if (isDuplicate) break;
  }
  counts.bytes += progress.bytes - begunAt;
  counts.malformed += progress.malformed - (grown ? source.malformed : 0);
  if (isDuplicate || !(await flush())) counts.duplicates += 1;
  else counts.indexed += 1;
}

function hasGrown(bytes: FileBytes, source: Source, size: number): boolean {
  if (source.read_bytes === 0 || source.read_bytes > size) return false;
  return source.ends_hash !== "" && endsHash(bytes, source.read_bytes) === source.ends_hash;
}

function begin({ provider, path }: TranscriptFile, source: Source | undefined): Progress {
  const id = basename(path).replace(/\.jsonl(?:\.zst)?$/, "");
  const open = provider === "codex" ? codexReader : claudeReader;
  return {
    reader: open(id, source === undefined ? undefined : parseJson(source.state)),
    bytes: source?.read_bytes ?? 0,
    lines: source?.read_lines ?? 0,
    malformed: source?.malformed ?? 0,
    batch: emptyBatch(),
  };
}

/** @returns `false` for a line that is still being written: it is for the next time. */
function readLine(
  progress: Progress,
  { bytes, end, whole }: { bytes: Buffer; end: number; whole: boolean },
): boolean {
  const record = parseLine(bytes, whole);
  if (record === undefined && !whole) return false;
  progress.bytes = end;
  progress.lines += 1;
  if (record === "blank") return true;
  if (record === undefined) {
    progress.malformed += 1;
    return true;
  }
  const facts = progress.reader.read(record, progress.lines);
  addFacts(progress.batch, facts);
  if (facts.unknown) {
    const text = bytes.toString("utf8").slice(0, UNKNOWN_SIZE);
    const type = typeof record.type === "string" ? record.type : "";
    progress.batch.unknown.push({ line: progress.lines, type, text });
  }
  return true;
}

/** @returns `false`, having written nothing, where another file holds the session already. */
async function writeProgress(
  powers: IndexPowers,
  file: TranscriptFile,
  { machine }: IndexRules,
  progress: Progress,
  bytes: FileBytes,
  { anew, earlierPath }: { readonly anew: boolean; readonly earlierPath: string | undefined },
): Promise<boolean> {
  const { database, clock, scanner } = powers;
  const { reader } = progress;
  const known = [file.path, earlierPath];
  const others = database
    .all<{ path: string }>(
      `SELECT path FROM sources JOIN sessions ON sessions.key = sources.session
       WHERE sources.machine = ? AND provider = ? AND id = ?`,
      machine,
      file.provider,
      reader.header.id,
    )
    .filter(({ path }) => !known.includes(path));
  for (const { path } of others) if (await isFile(path)) return false;
  const redactor = createRedactor(scanner);
  const header = await redactor.header(reader.header);
  const batch = await redactor.batch(progress.batch);
  const state = JSON.stringify({ ...(reader.state() as object), header: { ...header } });
  const hash = endsHash(bytes, progress.bytes);
  await database.write((tx) => {
    const session = writeSession(tx, machine, header, clock.iso());
    if (anew) forgetContent(tx, session);
    for (const { path } of others) {
      tx.run("DELETE FROM sources WHERE machine = ? AND path = ?", machine, path);
    }
    writeBatch(tx, session, batch);
    writeSessionWords(tx, session);
    const { path, device, inode, size, modifiedMs } = file;
    writeSource(
      tx,
      machine,
      {
        path,
        session,
        device,
        inode,
        size,
        modified_ms: modifiedMs,
        read_bytes: progress.bytes,
        read_lines: progress.lines,
        ends_hash: hash,
        state,
        malformed: progress.malformed,
      },
      earlierPath,
    );
  });
  return true;
}
