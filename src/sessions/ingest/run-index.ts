/** `sessions index`: finds the transcripts, reads what is new of them, and what comes with that. */
import { resolve } from "node:path";
import { usageError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import { agentHomes, findTranscripts } from "../discovery/find-transcripts.ts";
import { hasUncutSessions, refreshChunks } from "../embeddings/chunks.ts";
import { hasSpaces } from "../embeddings/spaces.ts";
import { copyEveryGoDatabase } from "../go-database/copy-go-sessions.ts";
import { interruptible } from "../interruptible.ts";
import { finishErasure } from "../keeping/erase.ts";
import type { SessionObserver, SessionPowers } from "../powers.ts";
import { durationMs } from "../times.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import { indexSessions } from "./index-sessions.ts";
import type { IndexCounts } from "./rules.ts";

export interface IndexRequest {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
  /** `codex`, `claude` or `all`, the default. */
  readonly provider?: string;
  readonly codex_home?: string;
  readonly claude_home?: string;
  readonly include?: readonly string[];
  readonly machine?: string;
  /** A time such as `30m` in which a transcript must not have been written; two minutes without. */
  readonly safety_buffer?: string;
  /** A time such as `7d`; only transcripts written within it. */
  readonly since?: string;
  readonly force?: boolean;
}

/** An agent that has just stopped writing may go on. */
const QUIET = "2m";
const INTERRUPTED = "what was read is kept; the next pallium sessions index goes on from there";
const EVERY_PROVIDER: readonly TranscriptProvider[] = ["codex", "claude"];

export async function runIndex(
  powers: SessionPowers,
  request: IndexRequest,
  observer: SessionObserver,
): Promise<IndexCounts> {
  const { environment, clock, readerWorker } = powers;
  const at = (path: string): string => resolve(environment.cwd, path);
  const { provider = "all", include = [], machine = powers.machine } = request;
  const providers = EVERY_PROVIDER.filter((name) => provider === "all" || provider === name);
  if (providers.length === 0) {
    throw usageError(`unsupported session provider "${provider}" (want codex, claude, or all)`);
  }
  const quietMs = durationMs("safety-buffer", request.safety_buffer ?? QUIET);
  const sinceMs = request.since === undefined ? undefined : durationMs("since", request.since);
  const homes = agentHomes(environment);
  const found = findTranscripts({
    providers,
    codexHome: request.codex_home === undefined ? homes.codexHome : at(request.codex_home),
    claudeHome: request.claude_home === undefined ? homes.claudeHome : at(request.claude_home),
    include: include.map(at),
  });
  for (const problem of found.problems) observer.warn(problem);
  const database = await powers.openStore(request.db);
  try {
    return await interruptible(observer, INTERRUPTED, async (signal) => {
      const { problems, ...counts } = await indexSessions(
        {
          database,
          clock,
          createScanner: createSecretScanner,
          readerWorker,
          signal,
          ...optional({ workflowCalls: powers.workflowCalls }),
        },
        found.files,
        {
          machine,
          force: request.force ?? false,
          quietMs,
          ...optional({ sinceMs }),
        },
      );
      for (const problem of problems) observer.warn(problem);
      await finishIndex(powers, database, counts, signal);
      return counts;
    });
  } finally {
    database.close();
  }
}

/** What a transcript tells is better than what the Go program made of it, and need not be copied. */
async function finishIndex(
  powers: SessionPowers,
  database: Database,
  { indexed }: IndexCounts,
  signal: AbortSignal,
): Promise<void> {
  await copyEveryGoDatabase(powers, database);
  const isStale = indexed > 0 || hasUncutSessions(database);
  if (isStale && hasSpaces(database)) await refreshChunks(database, signal);
  await finishErasure(database);
}
