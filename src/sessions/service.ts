/** Session memory as operations call it. */
import { resolve } from "node:path";
import { PalliumError, usageError } from "../lib/errors.ts";
import { optional } from "../lib/optional.ts";
import { fileSha256 } from "../platform/file-sha256.ts";
import { isFile } from "../platform/files.ts";
import type { Database } from "../platform/sqlite/database.ts";
import { createSecretScanner } from "../secrets/scanner.ts";
import { agentHomes, findTranscripts } from "./discovery/find-transcripts.ts";
import { refreshChunks } from "./embeddings/chunks.ts";
import { copyEveryGoDatabase } from "./go-database/copy-go-sessions.ts";
import { indexSessions } from "./ingest/index-sessions.ts";
import type { IndexCounts } from "./ingest/rules.ts";
import { type LiveOperations, liveOperations } from "./live/operations.ts";
import type { SessionObserver, SessionPowers } from "./powers.ts";
import type { SessionFilter } from "./reports/filter.ts";
import { type ListRequest, listSessions } from "./reports/list.ts";
import {
  type Labelled,
  labelPlace,
  labelSession,
  type RecalledSession,
} from "./reports/recalled.ts";
import type { SessionRecord } from "./reports/session-record.ts";
import { type ShownSession, type ShowRequest, showSession } from "./reports/show.ts";
import { type SessionStats, sessionStats } from "./reports/stats.ts";
import { type GrepHit, type GrepRequest, grepMessages } from "./search/grep.ts";
import { type FoundSession, type SearchRequest, searchSessions } from "./search/search.ts";
import { durationMs, momentSince } from "./times.ts";
import type { TranscriptProvider } from "./transcripts/types.ts";

export interface StoreRequest {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
}

export interface IndexRequest extends StoreRequest {
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

export interface SessionService extends LiveOperations {
  index(request: IndexRequest, observer: SessionObserver): Promise<IndexCounts>;
  list(request: StoreRequest & ListRequest): Promise<readonly Labelled<SessionRecord>[]>;
  search(request: StoreRequest & SearchRequest): Promise<readonly Labelled<FoundSession>[]>;
  grep(request: StoreRequest & GrepRequest): Promise<readonly Labelled<GrepHit>[]>;
  show(request: StoreRequest & ShowRequest): Promise<Labelled<ShownSession>>;
  stats(request: StoreRequest): Promise<SessionStats>;
}

/** An agent that has just stopped writing may go on. */
const QUIET = "2m";
const EVERY_PROVIDER: readonly TranscriptProvider[] = ["codex", "claude"];

export function createSessionService(powers: SessionPowers): SessionService {
  const { environment, clock } = powers;
  const at = (path: string): string => resolve(environment.cwd, path);
  const using = async <T>(db: string | undefined, work: (database: Database) => T | Promise<T>) => {
    const database = await openExisting(powers, db);
    try {
      return await work(database);
    } finally {
      database.close();
    }
  };
  const labelled = <Session extends RecalledSession>(sessions: readonly Session[]) => {
    const now = clock.now();
    return sessions.map((session) => labelSession(session, now));
  };
  const placed = <Request extends SessionFilter>(request: Request): Request => ({
    ...request,
    ...optional({
      repo: request.repo === undefined ? undefined : at(request.repo),
      since: request.since === undefined ? undefined : momentSince(request.since, clock.now()),
    }),
  });
  return {
    index: async (request, observer) => {
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
      const interruption = new AbortController();
      const stopListening = observer.onInterrupt((asked) => interruption.abort(interrupted(asked)));
      try {
        const { signal } = interruption;
        const { problems, ...counts } = await indexSessions(
          { database, clock, scanner: createSecretScanner(), signal },
          found.files,
          { machine, force: request.force ?? false, quietMs, ...optional({ sinceMs }) },
        );
        for (const problem of problems) observer.warn(problem);
        await finishIndex(powers, database, counts, signal);
        return counts;
      } finally {
        stopListening();
        database.close();
      }
    },
    list: async ({ db, ...request }) =>
      labelled(await using(db, (database) => listSessions(database, placed(request)))),
    search: async ({ db, ...request }) =>
      labelled(await using(db, (database) => searchSessions(database, placed(request)))),
    grep: async ({ db, ...request }) => {
      const hits = await using(db, (database) => grepMessages(database, placed(request)));
      const now = clock.now();
      return hits.map((hit) => labelPlace(hit, now));
    },
    show: async ({ db, ...request }) => {
      const shown = await using(db, (database) => showSession(database, request));
      const rollout_sha256 = (await fileSha256(shown.session.rollout_path)) ?? "";
      const { recalled, ...session } = labelSession(shown.session, clock.now());
      return { recalled, ...shown, session: { ...session, rollout_sha256 } };
    },
    stats: ({ db }) => using(db, sessionStats),
    ...liveOperations(powers),
  };
}

async function openExisting(powers: SessionPowers, path: string | undefined): Promise<Database> {
  if (path !== undefined && !(await isFile(resolve(powers.environment.cwd, path)))) {
    throw new PalliumError("database_not_found", `no database is at ${path}`, {
      hints: ["look at the path given with --db; only sessions index makes a new one"],
    });
  }
  const database = await powers.openStore(path);
  try {
    await copyEveryGoDatabase(powers, database);
    return database;
  } catch (error) {
    database.close();
    throw error;
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
  if (indexed > 0) await refreshChunks(database, signal);
}

/** Exit status, by what was asked. */
const EXIT_CODES = { pause: 130, stop: 143 } as const;

function interrupted(asked: keyof typeof EXIT_CODES): PalliumError {
  return new PalliumError("interrupted", "interrupted", {
    exitCode: EXIT_CODES[asked],
    hints: ["what was read is kept; the next pallium sessions index goes on from there"],
  });
}
