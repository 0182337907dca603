/** The sessions that agents are in now, from the table of processes and the ends of their transcripts. */
import { byText } from "../../lib/by-text.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Environment } from "../../platform/environment.ts";
import type { ProgramTable } from "../../platform/process/program.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import { agentHomes } from "../discovery/find-transcripts.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import { agentOf, agentProcesses } from "./agent-processes.ts";
import { codexThreads } from "./codex-threads.ts";
import { type Held, heldSessions } from "./held-sessions.ts";
import { matchByPlace, SLACK_MS } from "./match.ts";
import { processHomes } from "./process-homes.ts";
import { recentTranscripts } from "./recent-transcripts.ts";
import { type KnownSession, summaryOf } from "./summary.ts";
import { readBrief, TAIL_BYTES, type Transcript } from "./transcript-brief.ts";
import type { AgentProcess, LiveReport, LiveRequest, TranscriptBrief } from "./types.ts";

export interface LivePowers {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Name of this computer. */
  readonly machine: string;
  readonly programs: ProgramTable;
  readonly scanner: SecretScanner;
  /** Told of what cannot be read, as a sentence. */
  readonly problem: (line: string) => void;
}

const PROVIDERS: readonly TranscriptProvider[] = ["codex", "claude"];
/** How long ago an inactive session may have been written, and how many are told of: the rest is memory. */
const LATELY_MS = 7 * 24 * 3600 * 1000;
const MOST_INACTIVE = 50;
/** Of transcripts that may be a process's, the latest. */
const MOST_CANDIDATES = 100;

/** @throws PalliumError `process_table` */
export async function liveReport(powers: LivePowers, request: LiveRequest): Promise<LiveReport> {
  const now = powers.clock.now();
  const known = await activeSessions(powers, runningAgents(powers));
  if (request.all === true) known.push(...(await inactiveSessions(powers, known, now)));
  const named = await withThreads(known, powers.environment);
  const sessions = await Promise.all(named.map((one) => summaryOf(one, powers, now)));
  return {
    generated_at: now.toISOString(),
    host: powers.machine,
    sessions: sessions.sort(
      (a, b) => byText(a.status, b.status) || byText(b.last_active_at, a.last_active_at),
    ),
  };
}

function runningAgents({ programs, environment }: LivePowers): readonly AgentProcess[] {
  const found = programs.find((argv) => agentOf(argv) !== undefined);
  const open = programs.openFiles(found.map(({ pid }) => pid));
  return agentProcesses(found, open, processHomes(environment));
}

async function activeSessions(
  powers: LivePowers,
  processes: readonly AgentProcess[],
): Promise<KnownSession[]> {
  const held = await Promise.all(processes.map((one) => heldSessions(one, powers.problem)));
  const sessions: KnownSession[] = [];
  const unknown: AgentProcess[] = [];
  for (const { agent, transcripts, registered } of held) {
    const briefs = (await readBriefs(transcripts, "active")).filter(({ isHelper }) => !isHelper);
    if (briefs.length > 0) sessions.push(...briefs.map((brief) => ({ agent, brief })));
    else if (registered !== undefined) sessions.push({ agent, registered });
    else unknown.push(agent);
  }
  const candidates = await candidatesFor(powers, unknown, held);
  const matched = matchByPlace(unknown, candidates);
  for (const agent of unknown) {
    const brief = matched.get(agent);
    sessions.push(brief === undefined ? { agent } : { agent, brief });
  }
  return sessions;
}

/** Transcripts that were written since the first of the processes started, and that none is known to have. */
async function candidatesFor(
  { problem }: LivePowers,
  processes: readonly AgentProcess[],
  held: readonly Held[],
): Promise<readonly TranscriptBrief[]> {
  const taken = new Set(held.flatMap(({ transcripts }) => transcripts.map(({ path }) => path)));
  const found = new Map<string, Transcript>();
  for (const { provider, home, startedMs, cwd } of processes) {
    if (cwd === "") continue;
    for (const transcript of recentTranscripts(provider, home, startedMs - SLACK_MS, problem)) {
      if (!taken.has(transcript.path)) found.set(transcript.path, transcript);
    }
  }
  return readBriefs(latest([...found.values()], MOST_CANDIDATES), "active");
}

async function inactiveSessions(
  { environment, problem }: LivePowers,
  active: readonly KnownSession[],
  now: Date,
): Promise<readonly KnownSession[]> {
  const { codexHome, claudeHome } = agentHomes(environment);
  const homes = { codex: codexHome, claude: claudeHome };
  const taken = new Set(active.map(({ brief }) => brief?.path));
  const transcripts = PROVIDERS.flatMap((provider) =>
    recentTranscripts(provider, homes[provider], now.getTime() - LATELY_MS, problem),
  ).filter(({ path }) => !taken.has(path));
  const briefs = await readBriefs(latest(transcripts, MOST_INACTIVE), "inactive");
  return briefs.filter(({ isHelper }) => !isHelper).map((brief) => ({ brief }));
}

function latest(transcripts: readonly Transcript[], most: number): readonly Transcript[] {
  return [...transcripts].sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, most);
}

async function readBriefs(
  transcripts: readonly Transcript[],
  status: keyof typeof TAIL_BYTES,
): Promise<TranscriptBrief[]> {
  const briefs = await Promise.all(
    transcripts.map((transcript) => readBrief(transcript, TAIL_BYTES[status])),
  );
  return briefs.filter((brief) => brief !== undefined);
}

async function withThreads(
  known: readonly KnownSession[],
  environment: Environment,
): Promise<readonly KnownSession[]> {
  const { codexHome } = agentHomes(environment);
  const idsByHome = new Map<string, string[]>();
  const homeOf = ({ agent }: KnownSession) => agent?.home ?? codexHome;
  for (const session of known) {
    const { brief } = session;
    if (brief?.provider !== "codex") continue;
    const home = homeOf(session);
    idsByHome.set(home, [...(idsByHome.get(home) ?? []), brief.id]);
  }
  const threads = new Map<string, Awaited<ReturnType<typeof codexThreads>>>();
  for (const [home, ids] of idsByHome) threads.set(home, await codexThreads(home, ids));
  return known.map((session) => {
    const { brief } = session;
    const thread =
      brief?.provider === "codex" ? threads.get(homeOf(session))?.get(brief.id) : undefined;
    return thread === undefined ? session : { ...session, thread };
  });
}
