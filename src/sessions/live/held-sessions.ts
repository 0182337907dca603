/** Which sessions processes say that they have: by files that are open, by what Claude Code notes down. */
import { basename, join } from "node:path";
import { lookAt } from "../../platform/walk-files.ts";
import { type RegisteredSession, registeredSession } from "./claude-registry.ts";
import { recentTranscripts } from "./recent-transcripts.ts";
import type { Transcript } from "./transcript-brief.ts";
import type { AgentProcess } from "./types.ts";

/** What is certain of one process. */
export interface Held {
  readonly agent: AgentProcess;
  /** Several where one program has many sessions, as that of an editor does. */
  readonly transcripts: readonly Transcript[];
  /** A session that has no transcript yet. */
  readonly registered?: RegisteredSession;
}

/** @param problem is told of what cannot be read. */
export async function heldSessions(
  agent: AgentProcess,
  problem: (line: string) => void,
): Promise<Held> {
  const { provider, transcripts } = agent;
  const open = transcripts.flatMap((path) => transcriptAt(agent, path, problem));
  if (open.length > 0 || provider === "codex") return { agent, transcripts: open };
  const registered = await registeredSession(agent);
  if (registered === undefined) return { agent, transcripts: [] };
  return { agent, transcripts: findTranscript(agent, registered, problem), registered };
}

/** Characters that Claude Code does not put into the name of a project's folder. */
const NOT_NAMED = /[^A-Za-z0-9]/g;

function findTranscript(
  agent: AgentProcess,
  { id, cwd }: RegisteredSession,
  problem: (line: string) => void,
): readonly Transcript[] {
  const name = `${id}.jsonl`;
  const usual = join(agent.home, "projects", cwd.replace(NOT_NAMED, "-"), name);
  const found = transcriptAt(agent, usual, problem);
  if (found.length > 0) return found;
  return recentTranscripts("claude", agent.home, 0, problem).filter(
    ({ path }) => basename(path) === name,
  );
}

function transcriptAt(
  { provider }: AgentProcess,
  path: string,
  problem: (line: string) => void,
): readonly Transcript[] {
  const found = lookAt(path, basename(path), problem);
  return typeof found === "string" ? [] : [{ provider, path, modifiedMs: found.modifiedMs }];
}
