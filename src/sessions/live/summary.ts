/** A session as a report has it: texts in one line each, secrets taken out. */
import { oneLine } from "../../lib/one-line.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import { recalledFrom } from "../reports/recalled.ts";
import type { RegisteredSession } from "./claude-registry.ts";
import type { CodexThread } from "./codex-threads.ts";
import type { AgentProcess, LiveSession, TranscriptBrief } from "./types.ts";

/** What is known of one session; a process, a transcript or both. */
export interface KnownSession {
  readonly agent?: AgentProcess;
  readonly brief?: TranscriptBrief;
  readonly registered?: RegisteredSession;
  readonly thread?: CodexThread;
}

const STARTING = "(starting up)";
const TITLE_LENGTH = 120;
const TEXT_LENGTH = 240;
/** A secret is known by all of it: texts are cut to this before, to what is shown after. */
const LOOKED_AT = 8000;
/** Of rules that look at the name of a file, none applies. */
const NAME = "transcript.jsonl";

/** @param machine name of this computer. */
export async function summaryOf(
  known: KnownSession,
  { scanner, machine }: { readonly scanner: SecretScanner; readonly machine: string },
  now: Date,
): Promise<LiveSession> {
  const { agent, brief, registered, thread } = known;
  const clean = async (text: string | undefined, longest: number): Promise<string> =>
    text === undefined || text === ""
      ? ""
      : oneLine(await scanner.redact(text.slice(0, LOOKED_AT), NAME), longest);
  const path = (text: string | undefined) => clean(text, LOOKED_AT);
  const first = brief?.firstUserMessage || thread?.firstUserMessage;
  const cwd = brief?.cwd || thread?.cwd || registered?.cwd || agent?.cwd;
  const workdir = brief?.workdir === cwd ? "" : brief?.workdir;
  const lastActive = brief?.activeMs ?? agent?.startedMs ?? now.getTime();
  const provider = agent?.provider ?? brief?.provider ?? "codex";
  const id = brief?.id ?? registered?.id ?? "";
  const lastActiveAt = new Date(lastActive).toISOString();
  const origin = { provider, machine, session_id: id, path: brief?.path ?? "", at: lastActiveAt };
  return {
    provider,
    status: agent === undefined ? "inactive" : "active",
    ...(agent === undefined ? {} : { pid: agent.pid }),
    ...filled({
      tty: agent?.tty ?? "",
      age_seconds: agent === undefined ? 0 : ageSeconds(agent, now),
      thread_id: id,
    }),
    title: (await clean(thread?.title || brief?.title || first, TITLE_LENGTH)) || STARTING,
    ...filled({
      first_user_message: await clean(first, TEXT_LENGTH),
      session_cwd: await path(cwd),
      effective_workdir: await path(workdir),
      git_branch: await path(brief?.gitBranch || thread?.gitBranch),
      git_origin_url: await path(brief?.gitOriginUrl || thread?.gitOriginUrl),
      recent_action: await clean(brief?.recentAction, TEXT_LENGTH),
    }),
    last_active_at: lastActiveAt,
    recalled: recalledFrom(origin, now),
  };
}

function ageSeconds({ startedMs }: AgentProcess, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - startedMs) / 1000));
}

/** Without what is empty or zero. */
function filled<T extends Readonly<Record<string, string | number>>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value !== 0),
  ) as Partial<T>;
}
