/** Transcripts that the real command lines wrote against a model on loopback, their prompts left out. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { claudeReader } from "../../../src/sessions/transcripts/claude.ts";
import { codexReader } from "../../../src/sessions/transcripts/codex.ts";
import type {
  RecordFacts,
  SessionHeader,
  TranscriptProvider,
} from "../../../src/sessions/transcripts/types.ts";

export const TRANSCRIPTS = join(import.meta.dir, "..", "..", "fixtures", "transcripts");

const CODEX = "codex/sessions/2026/12/03/rollout-2026-12-03T06-00-";
const CLAUDE = "claude/projects/-home-dev-billing";

/**
 * `session` was resumed and compacted, `fork` is a fork of it, `helped` started `helper`.
 */
export const FILES = {
  codex: {
    session: `${CODEX}37-01a23a7d-9257-7e80-a92d-8bf46c16c593.jsonl`,
    fork: `${CODEX}40-01a23a7d-9c77-7420-ab0d-a0eff7b1c907.jsonl`,
    helped: `${CODEX}41-01a23a7d-9f21-7412-8cfb-db8806b6eaa8.jsonl`,
    helper: `${CODEX}41-01a23a7d-a102-7022-8535-d1ff7019bda9.jsonl`,
  },
  claude: {
    session: `${CLAUDE}/b19c5154-e5f9-45f3-b871-aa182e275d37.jsonl`,
    fork: `${CLAUDE}/e3f3b705-86c8-4191-80dd-1d4a8e99e9e8.jsonl`,
    helped: `${CLAUDE}/460bb3c7-01d4-405c-aeb3-ed79a689d93c.jsonl`,
    helper: `${CLAUDE}/460bb3c7-01d4-405c-aeb3-ed79a689d93c/subagents/agent-af4860ea4b6868de4.jsonl`,
  },
} as const;

export type FixtureName = keyof (typeof FILES)["codex"];

export interface ReadTranscript extends RecordFacts {
  readonly header: SessionHeader;
}

/** Reads records as an index does; `stops` are lines after which a new reader goes on from the state. */
export function readRecords(
  provider: TranscriptProvider,
  records: readonly Record<string, unknown>[],
  fallbackId = "fallback",
  stops: readonly number[] = [],
): ReadTranscript {
  const open = provider === "codex" ? codexReader : claudeReader;
  let reader = open(fallbackId);
  const read: RecordFacts[] = [];
  for (const [index, record] of records.entries()) {
    read.push(reader.read(record, index + 1));
    if (stops.includes(index)) {
      reader = open(fallbackId, JSON.parse(JSON.stringify(reader.state())));
    }
  }
  return {
    header: reader.header,
    messages: read.flatMap(({ messages }) => messages),
    touches: read.flatMap(({ touches }) => touches),
    commands: read.flatMap(({ commands }) => commands),
    results: read.flatMap(({ results }) => results),
    usage: read.flatMap(({ usage }) => usage),
    unknown: read.some(({ unknown }) => unknown),
  };
}

export function fixtureRecords(
  provider: TranscriptProvider,
  name: FixtureName,
): readonly Record<string, unknown>[] {
  const text = readFileSync(join(TRANSCRIPTS, FILES[provider][name]), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export function readFixture(
  provider: TranscriptProvider,
  name: FixtureName,
  stops: readonly number[] = [],
): ReadTranscript {
  const id = basename(FILES[provider][name], ".jsonl");
  return readRecords(provider, fixtureRecords(provider, name), id, stops);
}
