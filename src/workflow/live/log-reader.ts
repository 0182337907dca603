/** Reads the output of one call on from where it was read to. */
import { type ByteLine, createLineSplitter, type LineSplitter } from "../../lib/byte-lines.ts";
import { optional } from "../../lib/optional.ts";
import { readPiece } from "../../platform/growing-file.ts";
import {
  type Attempt,
  attemptsOf,
  OUTPUT_STREAMS,
  type OutputStream,
  outputFile,
} from "./call-outputs.ts";

/** Most bytes of a line; what goes beyond is counted. */
const LINE_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Pieces of one file in a row, so that one that is flooded does not keep the others waiting. */
const PIECES_IN_A_ROW = 16;

export interface LoggedLine {
  readonly stream: OutputStream;
  /** Which time the call was asked, where it is not the first. */
  readonly attempt?: string;
  readonly text: string;
  /** How many bytes at its end are left out. */
  readonly omitted_bytes?: number;
}

export interface LogReader {
  /** What has come since, as far as it ends with a newline. */
  more(): AsyncGenerator<LoggedLine>;
  /** All the rest, an unfinished line included; for a call whose workers have ended. */
  rest(): AsyncGenerator<LoggedLine>;
}

interface Source {
  offset: number;
  stamp: string;
  splitter: LineSplitter;
}

const decoder = new TextDecoder();

export function createLogReader(runDirectory: string, callId: string): LogReader {
  const sources = new Map<string, Source>();

  /** A file that is shorter than what was read of it was begun anew, or was cut at its limit. */
  async function piece(attempt: Attempt, path: string): Promise<{ source: Source; bytes: Buffer }> {
    const fresh = () => ({
      offset: 0,
      stamp: attempt.stamp,
      splitter: createLineSplitter(LINE_BYTES),
    });
    let source = sources.get(path) ?? fresh();
    let read = await readPiece(path, source.offset, PIECE_BYTES);
    if (read !== undefined && read.size < source.offset && source.stamp !== attempt.stamp) {
      source = fresh();
      read = await readPiece(path, 0, PIECE_BYTES);
    }
    sources.set(path, source);
    const bytes = read?.bytes ?? Buffer.alloc(0);
    source.offset += bytes.length;
    return { source, bytes };
  }

  async function* lines(isLast: boolean): AsyncGenerator<LoggedLine> {
    for (const attempt of await attemptsOf(runDirectory, callId)) {
      for (const stream of OUTPUT_STREAMS) {
        const path = outputFile(attempt, stream);
        for (let count = 0; isLast || count < PIECES_IN_A_ROW; count += 1) {
          const { source, bytes } = await piece(attempt, path);
          for (const line of source.splitter.push(bytes)) yield loggedLine(attempt, stream, line);
          if (bytes.length > 0) continue;
          if (isLast)
            for (const line of source.splitter.end()) yield loggedLine(attempt, stream, line);
          break;
        }
      }
    }
  }

  return { more: () => lines(false), rest: () => lines(true) };
}

function loggedLine(
  { name }: Attempt,
  stream: OutputStream,
  { bytes, omitted }: ByteLine,
): LoggedLine {
  const text = decoder.decode(bytes);
  return {
    stream,
    ...optional({ attempt: name || undefined }),
    text: text.endsWith("\r") ? text.slice(0, -1) : text,
    ...optional({ omitted_bytes: omitted || undefined }),
  };
}
