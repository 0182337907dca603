/** The transcripts of a home that were written lately. */
import { join } from "node:path";
import { walkFiles } from "../../platform/walk-files.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import type { Transcript } from "./transcript-brief.ts";

/** Claude Code has a folder for each project, and deeper only what belongs to helpers. */
const DEPTH: Readonly<Record<TranscriptProvider, number>> = { codex: 4, claude: 1 };

/**
 * In no order; those of helpers of Claude Code are left out.
 * @param sinceMs in milliseconds since 1970.
 */
export function recentTranscripts(
  provider: TranscriptProvider,
  home: string,
  sinceMs: number,
  problem: (line: string) => void,
): readonly Transcript[] {
  const folder = join(home, provider === "codex" ? "sessions" : "projects");
  const wanted = (name: string) => isTranscriptName(provider, name);
  return [...walkFiles(folder, wanted, problem, DEPTH[provider])]
    .filter(({ modifiedMs }) => modifiedMs >= sinceMs)
    .map(({ path, modifiedMs }) => ({ provider, path, modifiedMs }));
}

/** Whether a file is, by its name, the transcript of a session, not of a helper of Claude Code. */
export function isTranscriptName(provider: TranscriptProvider, name: string): boolean {
  if (!name.endsWith(".jsonl")) return false;
  const isRollout = name.startsWith("rollout-");
  return provider === "codex" ? isRollout : !isRollout && !name.startsWith("agent-");
}
