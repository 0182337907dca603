/** The last thing that each agent at work has printed. */
import { shownText } from "../../lib/shown-text.ts";
import { fileStamp } from "../../platform/file-stamp.ts";
import { readPiece } from "../../platform/growing-file.ts";
import { spokenLine } from "../../providers/spoken-line.ts";
import { attemptsOf, OUTPUT_STREAMS, outputFile } from "./call-outputs.ts";

/** Bytes at the end of a file in which something is looked for that says anything. */
const TAIL_BYTES = 64 * 1024;
/** Of a line that are kept: more is never shown in one row. */
const MOST_CHARACTERS = 500;

interface Seen {
  readonly stamp: string;
  readonly line: string;
}

export interface LastLines {
  /** Empty for one that has printed nothing that says anything. */
  of(callId: string): Promise<string>;
  /** Forgets all but these. */
  keep(callIds: ReadonlySet<string>): void;
}

export function createLastLines(runDirectory: string): LastLines {
  const seen = new Map<string, Seen>();
  return {
    of: async (callId) => {
      const file = await latestFile(runDirectory, callId);
      const before = seen.get(callId);
      if (file === undefined || file.stamp === before?.stamp) return before?.line ?? "";
      const line = (await lastLine(file.path)) || (before?.line ?? "");
      seen.set(callId, { stamp: file.stamp, line });
      return line;
    },
    keep: (callIds) => {
      for (const id of seen.keys()) if (!callIds.has(id)) seen.delete(id);
    },
  };
}

/** Of what the last attempt writes, the file that was written to last. */
async function latestFile(runDirectory: string, callId: string) {
  const attempt = (await attemptsOf(runDirectory, callId)).at(-1);
  if (attempt === undefined) return undefined;
  const files = await Promise.all(
    OUTPUT_STREAMS.map(async (stream) => {
      const path = outputFile(attempt, stream);
      const found = await fileStamp(path);
      return found === undefined || found.bytes === 0 ? [] : [{ path, ...found }];
    }),
  );
  return files
    .flat()
    .sort((a, b) => a.writtenMs - b.writtenMs)
    .at(-1);
}

async function lastLine(path: string): Promise<string> {
  const piece = await readPiece(path, -TAIL_BYTES, TAIL_BYTES);
  if (piece === undefined) return "";
  const lines = new TextDecoder().decode(piece.bytes).split("\n");
  const isTorn = piece.size > piece.bytes.length && lines.length > 1;
  for (const line of lines.slice(isTorn ? 1 : 0).reverse()) {
    const spoken = spokenLine(shownText(line));
    if (spoken !== undefined) return spoken.slice(0, MOST_CHARACTERS).toWellFormed();
  }
  return "";
}
