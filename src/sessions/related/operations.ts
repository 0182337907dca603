/** What sessions have to do with something, as operations call it. */
import { resolve } from "node:path";
import { optional } from "../../lib/optional.ts";
import type { StoreAccess } from "../keeping/operations.ts";
import type { SessionPowers } from "../powers.ts";
import { type Labelled, labelSession } from "../reports/recalled.ts";
import { momentSince } from "../times.ts";
import { repositoryTrees } from "./places.ts";
import { type RelatedFilter, type RelatedSession, relatedSessions } from "./related.ts";

export interface RelatedRequest extends RelatedFilter {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
  /** A folder of the repository; where the user stands without. */
  readonly path?: string;
  /** Files of the repository, relative to its top, or absolute. */
  readonly files?: readonly string[];
  readonly limit: number;
  readonly full?: boolean;
}

export interface RelatedOperations {
  /** @throws PalliumError `not_a_repository`. */
  related(request: RelatedRequest): Promise<readonly Labelled<RelatedSession>[]>;
}

export function relatedOperations(
  { environment, clock }: SessionPowers,
  { using }: Pick<StoreAccess, "using">,
): RelatedOperations {
  return {
    related: async ({ db, path = ".", since, ...request }) => {
      const repository = await repositoryTrees(resolve(environment.cwd, path));
      const now = clock.now();
      const from = since === undefined ? undefined : momentSince(since, now);
      const question = { ...request, ...optional({ since: from }), repository };
      const sessions = await using(db, (database) => relatedSessions(database, question, now));
      return sessions.map((session) => labelSession(session, now));
    },
  };
}
