/** What sessions have to do with something, as operations call it. */
import { dirname, resolve } from "node:path";
import { optional } from "../../lib/optional.ts";
import type { StoreAccess } from "../keeping/operations.ts";
import type { SessionPowers } from "../powers.ts";
import { type Labelled, labelSession } from "../reports/recalled.ts";
import { momentSince } from "../times.ts";
import { fileHistory, notTracked, placeOf } from "../why/commits.ts";
import { type WhyReport, whyReport } from "../why/why.ts";
import { askedFile, askedFiles } from "./asked-files.ts";
import { repositoryTrees } from "./places.ts";
import { type RelatedFilter, type RelatedSession, relatedSessions } from "./related.ts";

export interface RelatedRequest extends RelatedFilter {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
  /** A folder of the repository; where the user stands without. */
  readonly path?: string;
  /** Files of the repository, as seen from where the user stands, else from its top. */
  readonly files?: readonly string[];
  readonly limit: number;
  readonly full?: boolean;
}

export interface RelatedOperations {
  /** @throws PalliumError `not_a_repository`. */
  related(request: RelatedRequest): Promise<readonly Labelled<RelatedSession>[]>;
  /** @throws PalliumError `not_a_repository`, `file_not_tracked`, `line_not_found`, `usage`. */
  why(request: WhyRequest): Promise<WhyReport>;
}

export interface WhyRequest {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
  /** A file, or one line of it as `file:line`. */
  readonly place: string;
  /** Most commits of a file as a whole. */
  readonly limit: number;
  readonly full?: boolean;
}

export function relatedOperations(
  { environment, clock, git, verifications }: SessionPowers,
  { using }: Pick<StoreAccess, "using">,
): RelatedOperations {
  return {
    related: async ({ db, path = ".", since, files: typed = [], ...request }) => {
      const repository = await repositoryTrees(resolve(environment.cwd, path));
      const files = await askedFiles(typed, environment.cwd, repository);
      const now = clock.now();
      const from = since === undefined ? undefined : momentSince(since, now);
      const question = { ...request, ...optional({ since: from }), files, repository };
      const sessions = await using(db, (database) => relatedSessions(database, question, now));
      return sessions.map((session) => labelSession(session, now));
    },
    why: async ({ db, place, limit, full = false }) => {
      const { line, path } = placeOf(place);
      const absolute = await askedFile(path, environment.cwd);
      const repository = await repositoryTrees(dirname(absolute));
      const [top = "/"] = repository.trees;
      const asked = { path: absolute, ...optional({ line }) };
      const history = await fileHistory(git, top, asked, limit);
      const commits = history.changes.flatMap(({ commit }) => commit ?? []);
      const ran = await verifications?.({
        folder: top,
        files: [...new Set([history.path, ...commits.map((commit) => commit.path)])],
        heads: commits.map(({ sha }) => sha),
      });
      const known = { history, repository, verifications: ran ?? [] };
      const question = { ...known, full, ...optional({ line }) };
      const report = await using(db, (database) => whyReport(database, question, clock.now()));
      const isKnown = report.changes.some(
        ({ commit, sessions }) => commit !== null || sessions.length > 0,
      );
      if (!history.isTracked && !isKnown) throw notTracked(absolute);
      return report;
    },
  };
}
