/** Session memory as operations call it. */
import { resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { optional } from "../lib/optional.ts";
import { isWindowsPath } from "../lib/windows-path.ts";
import { fileSha256 } from "../platform/file-sha256.ts";
import { isFile } from "../platform/files.ts";
import type { Database } from "../platform/sqlite/database.ts";
import type { FusedSession, HybridRequest } from "./embeddings/hybrid.ts";
import { type EmbeddingOperations, embeddingOperations } from "./embeddings/operations.ts";
import { withModel } from "./embeddings/with-model.ts";
import { copyEveryGoDatabase } from "./go-database/copy-go-sessions.ts";
import type { IndexCounts } from "./ingest/rules.ts";
import { type IndexRequest, runIndex } from "./ingest/run-index.ts";
import { type KeepingOperations, keepingOperations } from "./keeping/operations.ts";
import { type LiveOperations, liveOperations } from "./live/operations.ts";
import type { SessionObserver, SessionPowers } from "./powers.ts";
import { type RelatedOperations, relatedOperations } from "./related/operations.ts";
import type { SessionFilter } from "./reports/filter.ts";
import { type ListRequest, listSessions } from "./reports/list.ts";
import { type Tagged, tagSessions } from "./reports/of-workflow.ts";
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
import { type FoundSession, searchSessions } from "./search/search.ts";
import { momentSince } from "./times.ts";

export interface StoreRequest {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
}

/** By words, or by vectors too. */
export type AnySearch = Omit<HybridRequest, "now"> & { readonly hybrid?: boolean };

export interface SessionService
  extends LiveOperations,
    KeepingOperations,
    RelatedOperations,
    EmbeddingOperations {
  index(request: IndexRequest, observer: SessionObserver): Promise<IndexCounts>;
  list(request: StoreRequest & ListRequest): Promise<readonly Labelled<Tagged<SessionRecord>>[]>;
  search(
    request: StoreRequest & AnySearch,
    observer: SessionObserver,
  ): Promise<readonly Labelled<FoundSession | FusedSession>[]>;
  grep(request: StoreRequest & GrepRequest): Promise<readonly Labelled<GrepHit>[]>;
  show(request: StoreRequest & ShowRequest): Promise<Labelled<ShownSession>>;
  stats(request: StoreRequest): Promise<SessionStats>;
}

export function createSessionService(powers: SessionPowers): SessionService {
  const { environment, clock } = powers;
  const at = (path: string): string =>
    isWindowsPath(path) ? path : resolve(environment.cwd, path);
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
    index: (request, observer) => runIndex(powers, request, observer),
    list: async ({ db, ...request }) => {
      const listed = await using(db, (database) => listSessions(database, placed(request)));
      return labelled(request.full === true ? await tagSessions(powers, listed) : listed);
    },
    search: async ({ db, hybrid, ...request }, observer) => {
      const asked = { ...placed(request), now: clock.now() };
      const found = await using(db, (database) =>
        hybrid
          ? withModel(powers, database, observer).hybrid(asked)
          : searchSessions(database, asked, observer.warn),
      );
      return labelled(found);
    },
    grep: async ({ db, ...request }) => {
      const hits = await using(db, (database) => grepMessages(database, placed(request)));
      const now = clock.now();
      return hits.map((hit) => labelPlace(hit, now));
    },
    show: async ({ db, ...request }) => {
      const shown = await using(db, (database) => showSession(database, request));
      const rollout_sha256 = (await fileSha256(shown.session.rollout_path)) ?? "";
      const [tagged = shown.session] = await tagSessions(powers, [shown.session]);
      const { recalled, ...session } = labelSession(tagged, clock.now());
      return { recalled, ...shown, session: { ...session, rollout_sha256 } };
    },
    stats: ({ db }) => using(db, sessionStats),
    ...liveOperations(powers),
    ...relatedOperations(powers, { using }),
    ...embeddingOperations(powers, { using, placed }),
    ...keepingOperations(powers, { using, placed }),
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
