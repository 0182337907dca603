/** What a session is and does, from both ends of its transcript: those grow to hundreds of megabytes. */
import { basename } from "node:path";
import { isRecord, parseJson } from "../../lib/json.ts";
import { readHead, readTail } from "../../platform/bounded-read.ts";
import { claudeReader } from "../transcripts/claude.ts";
import { codexReader } from "../transcripts/codex.ts";
import { textOf } from "../transcripts/fields.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import { actionOf, placedIn } from "./recent-action.ts";
import type { TranscriptBrief } from "./types.ts";

export interface Transcript {
  readonly provider: TranscriptProvider;
  readonly path: string;
  readonly modifiedMs: number;
}

/** Instructions of tens of kilobytes stand in the first record of Codex, and in some of Claude Code's. */
const HEAD_BYTES = 64 * 1024;
/** How much of the end is read: of a session at work, what it does must be found behind long outputs. */
export const TAIL_BYTES = { active: 192 * 1024, inactive: 32 * 1024 } as const;

/** `undefined` where the file is gone. What is half-written, or cut off by the bounds, is passed over. */
export async function readBrief(
  transcript: Transcript,
  tailBytes: number,
): Promise<TranscriptBrief | undefined> {
  const { path } = transcript;
  const head = await readHead(path, HEAD_BYTES);
  if (head === undefined) return undefined;
  const tail =
    head.omittedBytes === 0 ? "" : await readTail(path, Math.min(tailBytes, head.omittedBytes));
  return briefOf(transcript, [...recordsIn(head.text), ...recordsIn(tail)]);
}

function recordsIn(text: string): readonly Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): unknown => parseJson(line))
    .filter(isRecord);
}

function briefOf(
  { provider, path, modifiedMs }: Transcript,
  records: readonly Record<string, unknown>[],
): TranscriptBrief {
  const id = idByName(provider, path);
  const reader = provider === "codex" ? codexReader(id) : claudeReader(id);
  let prompt = "";
  let latest = { cwd: "", branch: "" };
  for (const [line, record] of records.entries()) {
    reader.read(record, line + 1);
    prompt ||= textOf(record.lastPrompt);
    if (provider === "claude") {
      const { cwd, branch } = latest;
      latest = { cwd: textOf(record.cwd) || cwd, branch: textOf(record.gitBranch) || branch };
    }
  }
  const { header } = reader;
  const action = lastAction(provider, records);
  const activeMs = Date.parse(header.updatedAt);
  const createdMs = Date.parse(header.createdAt);
  return {
    provider,
    path,
    id: header.id,
    isHelper: header.parentId !== "",
    title: header.title,
    firstUserMessage: header.firstUserMessage || prompt,
    cwd: header.cwd,
    workdir: placedIn(latest.cwd || header.cwd, action?.workdir ?? ""),
    gitBranch: latest.branch || header.gitBranch,
    gitOriginUrl: header.gitOriginUrl,
    recentAction: action?.text ?? "",
    createdMs: Number.isNaN(createdMs) ? modifiedMs : createdMs,
    activeMs: Number.isNaN(activeMs) ? modifiedMs : activeMs,
    modifiedMs,
  };
}

const CODEX_NAME = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/;

/** The id that a transcript's name holds. */
function idByName(provider: TranscriptProvider, path: string): string {
  const name = basename(path);
  return (
    (provider === "codex" ? CODEX_NAME.exec(name)?.[1] : undefined) ?? basename(name, ".jsonl")
  );
}

function lastAction(provider: TranscriptProvider, records: readonly Record<string, unknown>[]) {
  for (const record of records.toReversed()) {
    const action = record.isSidechain === true ? undefined : actionOf(provider, record);
    if (action !== undefined) return action;
  }
  return undefined;
}
