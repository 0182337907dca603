/** Reads one transcript: all of it, or from where it had grown. Its secrets go no further. */
import { basename } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { type FileBytes, openFileBytes, unpackedBytes } from "../../platform/file-bytes.ts";
import { endsHash, type Source } from "../store/sources.ts";
import { claudeReader } from "../transcripts/claude.ts";
import { codexReader } from "../transcripts/codex.ts";
import type { TranscriptReader } from "../transcripts/types.ts";
import { addFacts, type Batch, emptyBatch } from "./batch.ts";
import { parseLine } from "./parse-line.ts";
import type { Piece, ReadRequest } from "./pieces.ts";
import { NEWLINE, readLines, type TranscriptLine } from "./read-lines.ts";
import type { Redactor } from "./redact-batch.ts";

/** How long a piece is at most, but for its last record: in characters of messages, and in bytes. */
const PIECE_SIZE = 400_000;
const PIECE_BYTES = 16_000_000;
/** Of a record that no reader knows so much is read; in characters. Less is kept. */
const UNKNOWN_READ = 24_000;
const PACKED = ".zst";

/** How far a transcript was read, and what of it was not handed on yet. */
interface Progress {
  readonly reader: TranscriptReader;
  /** Of the file, from its beginning. */
  bytes: number;
  lines: number;
  malformed: number;
  batch: Batch;
}

/** @throws PalliumError `permission_denied`, `io_failed`. */
export async function* readTranscript(
  request: ReadRequest,
  redactor: Redactor,
): AsyncGenerator<Piece> {
  const { file, source, force } = request;
  using bytes = file.path.endsWith(PACKED)
    ? await unpackedBytes(file.path)
    : openFileBytes(file.path);
  const isKnown = source !== undefined && hasGrown(bytes, source);
  const grown = isKnown && !force ? source : undefined;
  const progress = begin(request, grown);
  const handedOn = { bytes: progress.bytes, malformed: progress.malformed };
  let anew = grown === undefined;
  const piece = async (isLast: boolean): Promise<Piece> => {
    const made = await pieceOf(progress, bytes, redactor);
    const since = {
      bytes: progress.bytes - handedOn.bytes,
      malformed: progress.malformed - handedOn.malformed,
    };
    handedOn.bytes = progress.bytes;
    handedOn.malformed = progress.malformed;
    // What tells a file that was moved is given to another file once the first is gone.
    const whole = { ...made, ...since, isKnown: isKnown || source?.path === file.path, anew };
    anew = false;
    return { ...whole, isLast, wholeBytes: bytes.size };
  };
  if (grown !== undefined) passLateNewline(progress, bytes);
  for (const line of readLines(bytes, progress.bytes, bytes.size)) {
    if (!readLine(progress, line)) break;
    const isLong =
      progress.batch.size >= PIECE_SIZE || progress.bytes - handedOn.bytes >= PIECE_BYTES;
    if (isLong) yield await piece(false);
  }
  yield await piece(true);
}

async function pieceOf(
  progress: Progress,
  file: FileBytes,
  redactor: Redactor,
): Promise<Pick<Piece, "header" | "batch" | "readTo">> {
  const { reader, bytes, lines, malformed, batch } = progress;
  progress.batch = emptyBatch();
  const { header: _cleaned, ...state } = reader.state() as Record<string, unknown>;
  const header = await redactor.header(reader.header);
  return {
    header,
    batch: await redactor.batch(batch),
    readTo: {
      read_bytes: bytes,
      read_lines: lines,
      malformed,
      ends_hash: endsHash(file, bytes),
      state: JSON.stringify({ ...((await redactor.state(state)) as object), header }),
    },
  };
}

function hasGrown(bytes: FileBytes, source: Source): boolean {
  if (source.read_bytes === 0 || source.read_bytes > bytes.size) return false;
  return source.ends_hash !== "" && endsHash(bytes, source.read_bytes) === source.ends_hash;
}

function begin({ file }: ReadRequest, source: Source | undefined): Progress {
  const id = basename(file.path).replace(/\.jsonl(?:\.zst)?$/, "");
  const open = file.provider === "codex" ? codexReader : claudeReader;
  return {
    reader: open(id, source === undefined ? undefined : parseJson(source.state)),
    bytes: source?.read_bytes ?? 0,
    lines: source?.read_lines ?? 0,
    malformed: source?.malformed ?? 0,
    batch: emptyBatch(),
  };
}

/** A record at the end of what was read may have lacked its newline: one that came since begins no line. */
function passLateNewline(progress: Progress, file: FileBytes): void {
  const around = Buffer.alloc(2);
  const got = file.read(around, progress.bytes - 1);
  if (got === 2 && around[0] !== NEWLINE && around[1] === NEWLINE) progress.bytes += 1;
}

/** @returns `false` for a line that is still being written: it is for the next time. */
function readLine(progress: Progress, { bytes, end, whole }: TranscriptLine): boolean {
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
    const text = bytes.toString("utf8").slice(0, UNKNOWN_READ);
    const type = typeof record.type === "string" ? record.type : "";
    progress.batch.unknown.push({ line: progress.lines, type, text });
  }
  return true;
}
