/** Reads one transcript into the store: all of it, or from where it had grown. */
import { basename } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { type FileBytes, openFileBytes, unpackedBytes } from "../../platform/file-bytes.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { endsHash, type Source } from "../store/sources.ts";
import { claudeReader } from "../transcripts/claude.ts";
import { codexReader } from "../transcripts/codex.ts";
import { addFacts, emptyBatch } from "./batch.ts";
import { parseLine } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";
import type { IndexCounts, IndexPowers, IndexRules } from "./rules.ts";
import { createProgressWriter, type Progress, type WriteOutcome } from "./write-progress.ts";

/** What is held before it is written; in characters. */
const BATCH_SIZE = 4_000_000;
/** Of a record that no reader knows so much is kept; in characters. */
const UNKNOWN_SIZE = 20_000;
const PACKED = ".zst";

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
  const isKnown = source !== undefined && hasGrown(bytes, source);
  const grown = isKnown && !rules.force;
  // What tells a file that was moved is given to another file once the first is gone.
  const before = isKnown || source?.path === file.path ? source : undefined;
  const progress = begin(file, grown ? source : undefined);
  const begunAt = progress.bytes;
  const write = createProgressWriter(powers, {
    file,
    bytes,
    machine: rules.machine,
    source: before,
  });
  let outcome: WriteOutcome = "written";
  for (const line of readLines(bytes, progress.bytes, bytes.size)) {
    powers.signal.throwIfAborted();
    if (!readLine(progress, line)) break;
    if (progress.batch.size < BATCH_SIZE) continue;
    outcome = await write(progress, { isLast: false });
    if (outcome !== "written") break;
  }
  counts.bytes += progress.bytes - begunAt;
  counts.malformed += progress.malformed - (grown ? source.malformed : 0);
  if (outcome === "written") outcome = await write(progress, { isLast: true });
  counts[COUNTED[outcome]] += 1;
}

const COUNTED = {
  written: "indexed",
  duplicate: "duplicates",
  overtaken: "unchanged",
  forgotten: "left_out",
} as const satisfies Record<WriteOutcome, keyof IndexCounts>;

function hasGrown(bytes: FileBytes, source: Source): boolean {
  if (source.read_bytes === 0 || source.read_bytes > bytes.size) return false;
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
    anew: source === undefined,
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
