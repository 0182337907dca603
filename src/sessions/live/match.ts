/** Which transcript a process writes that does not say it: by its folder and by times. Pure. */
import type { AgentProcess, TranscriptBrief } from "./types.ts";

/** Moments come from two clocks: of the process, and of the table of processes. */
export const SLACK_MS = 2000;

/**
 * Each transcript goes to one process at most. A session counts only if it was written since the
 * process started: one that was left weeks ago in the same folder is not at work again.
 * @param briefs of sessions that no process is known to have.
 */
export function matchByPlace(
  processes: readonly AgentProcess[],
  briefs: readonly TranscriptBrief[],
): ReadonlyMap<AgentProcess, TranscriptBrief> {
  const matched = new Map<AgentProcess, TranscriptBrief>();
  const free = new Set(briefs.filter(({ isHelper }) => !isHelper));
  const take = (agent: AgentProcess, choose: Choice): void => {
    if (matched.has(agent)) return;
    const here = [...free].filter((brief) => isPlaceOf(agent, brief));
    const [chosen] = choose(here, agent.startedMs);
    if (chosen === undefined) return;
    matched.set(agent, chosen);
    free.delete(chosen);
  };
  // Sessions that began with a process are told apart best from the latest on.
  const latestFirst = [...processes].sort((a, b) => b.startedMs - a.startedMs);
  for (const agent of latestFirst) take(agent, begunSince);
  for (const agent of latestFirst) take(agent, writtenSince);
  return matched;
}

/** @param started when the process was, in milliseconds since 1970. */
type Choice = (briefs: readonly TranscriptBrief[], started: number) => readonly TranscriptBrief[];

/** What began nearest to the process first. */
const begunSince: Choice = (briefs, started) =>
  briefs
    .filter(({ createdMs }) => createdMs >= started - SLACK_MS)
    .sort((a, b) => Math.abs(a.createdMs - started) - Math.abs(b.createdMs - started));

/** What was gone on with, the latest first. */
const writtenSince: Choice = (briefs, started) =>
  briefs
    .filter(({ activeMs }) => activeMs >= started - SLACK_MS)
    .sort((a, b) => b.activeMs - a.activeMs);

function isPlaceOf({ provider, home, cwd }: AgentProcess, brief: TranscriptBrief): boolean {
  if (brief.provider !== provider || cwd === "" || !brief.path.startsWith(`${home}/`)) return false;
  return brief.cwd === cwd || brief.workdir === cwd;
}
