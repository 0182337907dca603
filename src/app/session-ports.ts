/** What other domains may ask session memory; where there is none they learn nothing, and none is made. */
import { resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { optional } from "../lib/optional.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { isFile } from "../platform/files.ts";
import type { Git } from "../platform/git/runner.ts";
import type { Database } from "../platform/sqlite/database.ts";
import type { SessionMemory, SessionSearch } from "../repo/powers.ts";
import type { SessionPowers } from "../sessions/powers.ts";
import type { RelatedSession } from "../sessions/related/related.ts";
import type { Labelled } from "../sessions/reports/recalled.ts";
import type { SessionSearch as RunSessionSearch } from "../workflow/powers.ts";
import { locateStore, openSessionStore, openStore, storePath } from "./store.ts";

/** About files of a repository, or about a run. */
type RelatedSearch = Pick<SessionSearch, "folder" | "limit"> &
  Partial<SessionSearch & RunSessionSearch>;

export interface SessionPorts {
  related(search: RelatedSearch): Promise<readonly Labelled<RelatedSession>[]>;
  memory(): Promise<SessionMemory>;
}

/** A space of vectors that nothing else was said about. */
const USUAL_SPACE = { provider: "openai", model: "text-embedding-3-small" };

/** @param announce is told what the user should know about where data is kept. */
export function sessionPorts(
  environment: Environment,
  home: string,
  clock: Clock,
  announce: (line: string) => void,
): SessionPorts {
  const pathOf = (tell: (line: string) => void): string =>
    resolve(environment.cwd, storePath(environment, home, undefined, tell, "sessions"));
  const reading = async <T>(
    work: (database: Database) => T | Promise<T>,
  ): Promise<T | undefined> => {
    if (!(await isFile(pathOf(() => {})))) return undefined;
    using database = await openSessionStore(pathOf(announce));
    return await work(database);
  };
  const readable = async <T>(work: (database: Database) => T | Promise<T>) => {
    try {
      return await reading(work);
    } catch (error) {
      if (error instanceof PalliumError) return { problem: error.message };
      throw error;
    }
  };
  return {
    related: async ({ folder, ofRun = [], ...search }) => {
      const sessions = await reading(async (database) => {
        const [{ keysOf, relatedSessions }, { repositoryAround }, { labelSession }] =
          await Promise.all([
            import("../sessions/related/related.ts"),
            import("../sessions/related/places.ts"),
            import("../sessions/reports/recalled.ts"),
          ]);
        const now = clock.now();
        const repository = await repositoryAround(folder);
        const question = { ...search, ...optional({ repository }), ofRun: keysOf(database, ofRun) };
        const found = relatedSessions(database, question, now);
        return found.map((session) => labelSession(session, now));
      });
      return sessions ?? [];
    },
    memory: async () => {
      const stored = await readable(async (database) => {
        const [{ sessionStats }, { embeddingBacklog }] = await Promise.all([
          import("../sessions/reports/stats.ts"),
          import("../sessions/embeddings/spaces.ts"),
        ]);
        return {
          stats: sessionStats(database),
          embedding_backlog: embeddingBacklog(database, USUAL_SPACE),
        };
      });
      return { path: pathOf(() => {}), embedding_model: USUAL_SPACE.model, ...stored };
    },
  };
}

/** What session memory may ask about verification; what cannot be read is said, and left out. */
export function verifications(
  git: Git,
  clock: Clock,
  home: string,
  notice: (line: string) => void,
): NonNullable<SessionPowers["verifications"]> {
  return async ({ folder, files, heads }) => {
    const [{ findRepository }, { readRecords }, { runsAbout }] = await Promise.all([
      import("../repo/identity.ts"),
      import("../repo/records/open.ts"),
      import("../repo/verification/records.ts"),
    ]);
    try {
      const repository = await findRepository(git, folder, home);
      using records = await readRecords(repository, { clock, notice });
      return runsAbout(records, files, heads);
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      notice(`verification runs are left out: ${error.message}`);
      return [];
    }
  };
}

/** What session memory may ask about runs. */
export function workflowCalls(
  environment: Environment,
  home: string,
): NonNullable<SessionPowers["workflowCalls"]> {
  return async (ids) => {
    const place = await locateStore(environment, home, undefined, () => {});
    if (!(await isFile(place.path))) return [];
    const { callsOfSessions } = await import("../workflow/run/call-sessions.ts");
    using store = await openStore(place.path);
    return callsOfSessions(store, ids);
  };
}
