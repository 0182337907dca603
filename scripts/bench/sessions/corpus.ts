/** Transcripts of both agents, in any amount: about as many bytes for a message as real ones have. */
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeRecords } from "./claude-records.ts";
import { codexRecords } from "./codex-records.ts";
import { createTexts, type Texts } from "./texts.ts";

export interface CorpusPlan {
  /** Gets `.claude` and `.codex`. */
  readonly home: string;
  readonly megabytes: number;
  readonly seed?: number;
  /** Of the transcripts, on average. */
  readonly fileBytes?: number;
}

export interface Corpus {
  readonly files: number;
  readonly bytes: number;
  readonly messages: number;
}

/** What was measured of a user's own: 402 MB in 757 files. */
const FILE_BYTES = 530_000;
const LONG_AGO = new Date(Date.now() - 3_600_000);
/** Transcripts differ in length by this factor either way. */
const SPREAD = 4;

export function writeCorpus({
  home,
  megabytes,
  seed = 1,
  fileBytes = FILE_BYTES,
}: CorpusPlan): Corpus {
  const texts = createTexts(seed);
  const total = { files: 0, bytes: 0, messages: 0 };
  while (total.bytes < megabytes * 1e6) {
    const isCodex = total.files % 2 === 1;
    const least = fileBytes / SPREAD;
    const most = Math.min(
      least + texts.random.below(2 * (fileBytes - least)),
      megabytes * 1e6 - total.bytes,
    );
    const session = texts.uuid();
    const path = isCodex
      ? join(
          home,
          `.codex/sessions/2026/11/1${total.files % 10}/rollout-2026-11-10T00-00-00-${session}.jsonl`,
        )
      : join(home, `.claude/projects/-work-${total.files % 20}/${session}.jsonl`);
    const written = writeTranscript(
      path,
      (isCodex ? codexRecords : claudeRecords)(texts, session),
      most,
    );
    total.files += 1;
    total.bytes += written.bytes;
    total.messages += written.messages;
  }
  return total;
}

interface Part {
  readonly record: unknown;
  /** Messages that an index keeps of it. */
  readonly messages: number;
}

export type Records = Generator<Part, never>;
export type MakeRecords = (texts: Texts, session: string) => Records;

const PIECE = 1 << 20;

function writeTranscript(
  path: string,
  records: Records,
  most: number,
): { bytes: number; messages: number } {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  let [bytes, messages, lines] = [0, 0, ""];
  const flush = () => {
    bytes += writeSync(file, lines);
    lines = "";
  };
  for (const part of records) {
    lines += `${JSON.stringify(part.record)}\n`;
    messages += part.messages;
    if (lines.length > PIECE || bytes + lines.length >= most) flush();
    if (bytes >= most) break;
  }
  closeSync(file);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return { bytes, messages };
}
