/** What is kept, given away and taken out of session memory, as operations call it. */
import { resolve } from "node:path";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { agentHomes } from "../discovery/find-transcripts.ts";
import { type SessionDoctorReport, sessionDoctor } from "../doctor/doctor.ts";
import {
  type ExportReport,
  type ExportRequest,
  exportSessions,
} from "../export/export-sessions.ts";
import type { SessionObserver, SessionPowers } from "../powers.ts";
import type { SessionFilter } from "../reports/filter.ts";
import { momentSince } from "../times.ts";
import { type ForgetReport, type ForgetRequest, forgetSessions } from "./forget.ts";
import { type PruneReport, type PruneRequest, pruneSessions } from "./prune.ts";

interface InStore {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
}

export interface KeepingOperations {
  forget(request: InStore & ForgetRequest, observer: SessionObserver): Promise<ForgetReport>;
  prune(request: InStore & PruneRequest): Promise<PruneReport>;
  doctor(request: InStore): Promise<SessionDoctorReport>;
  export(request: InStore & ExportRequest): Promise<ExportReport>;
}

/** What the service shares with its operations. */
export interface StoreAccess {
  /** Opens a store that is there, and closes it after the work. */
  readonly using: <T>(
    db: string | undefined,
    work: (database: Database) => T | Promise<T>,
  ) => Promise<T>;
  /** A filter with its paths absolute and its times as moments. */
  readonly placed: <Request extends SessionFilter>(request: Request) => Request;
}

export function keepingOperations(
  powers: SessionPowers,
  { using, placed }: StoreAccess,
): KeepingOperations {
  const { clock, environment, goDatabases } = powers;
  return {
    forget: ({ db, ...request }, { confirm }) =>
      using(db, async (database) =>
        forgetSessions(database, request, {
          now: clock.iso(),
          goDatabases: await goDatabases(database.path),
          ...optional({ confirm }),
        }),
      ),
    prune: ({ db, older_than: age, ...request }) =>
      using(db, (database) => {
        const before = age === undefined ? undefined : momentSince(age, clock.now(), "older-than");
        const asked = {
          ...placed(request),
          ...(before === undefined ? {} : { older_than: before }),
        };
        return pruneSessions(database, asked, clock.iso());
      }),
    doctor: async ({ db }) => {
      const path = powers.storePath(db);
      return sessionDoctor({
        path,
        open: () => powers.openStore(path),
        homes: agentHomes(environment),
        machine: powers.machine,
        goDatabases: await goDatabases(path),
      });
    },
    export: ({ db, out, ...request }) =>
      using(db, (database) => {
        const path = out === undefined ? {} : { out: resolve(environment.cwd, out) };
        return exportSessions(database, { ...placed(request), ...path }, clock.now());
      }),
  };
}
