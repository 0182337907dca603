/** Takes sessions out of the store that are old, or whose transcripts are gone. */
import { usageError } from "../../lib/errors.ts";
import { isFile } from "../../platform/files.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import { forgetSession } from "../store/forget-session.ts";
import { askForErasure, finishErasure } from "./erase.ts";
import { type NamedSession, namedSessions, pathsOf } from "./forget.ts";
import { rememberPruned } from "./left-out.ts";

export interface PruneRequest extends SessionFilter {
  /** Only sessions whose transcripts are gone. */
  readonly gone?: boolean;
  /** Only sessions that were not written since this moment; UTC with milliseconds. */
  readonly older_than?: string;
  readonly dry_run?: boolean;
}

export interface PruneReport {
  readonly sessions: readonly NamedSession[];
  readonly count: number;
  /** Whether it was only said what would be removed. */
  readonly dry_run: boolean;
  /** By how much the store's file is smaller; 0 where nothing was removed. */
  readonly bytes_freed: number;
}

/** Sessions that go in one transaction. */
const TOGETHER = 100;

/**
 * Of several conditions all must hold. What is pruned comes back only once its transcript is written
 * again, or with `sessions index --force`.
 * @throws PalliumError `usage` where there is neither condition.
 */
export async function pruneSessions(
  database: Database,
  { gone = false, older_than: before, dry_run: dryRun = false, ...filter }: PruneRequest,
  now: string,
): Promise<PruneReport> {
  if (!gone && before === undefined) {
    throw usageError("say what is to be pruned: --gone, --older-than, or both");
  }
  const keys: number[] = [];
  for (const key of oldSessions(database, filter, before)) {
    if (!gone || (await isGone(database, key))) keys.push(key);
  }
  if (dryRun || keys.length === 0) return reportOf(namedSessions(database, keys), dryRun, 0);
  const bytes = storeBytes(database);
  const sessions: NamedSession[] = [];
  for (let at = 0; at < keys.length; at += TOGETHER) {
    const pruned = await database.write((tx) => {
      // An index may have read on meanwhile what somebody went on with.
      const old = new Set(oldSessions(tx, filter, before));
      const still = keys.slice(at, at + TOGETHER).filter((key) => old.has(key));
      const named = namedSessions(tx, still);
      for (const key of still) {
        rememberPruned(tx, key);
        forgetSession(tx, key);
      }
      askForErasure(tx, now);
      return named;
    });
    sessions.push(...pruned);
  }
  await finishErasure(database);
  return reportOf(sessions, false, Math.max(0, bytes - storeBytes(database)));
}

function reportOf(
  sessions: readonly NamedSession[],
  dryRun: boolean,
  bytesFreed: number,
): PruneReport {
  return { sessions, count: sessions.length, dry_run: dryRun, bytes_freed: bytesFreed };
}

function oldSessions(
  reader: Reader,
  filter: SessionFilter,
  before: string | undefined,
): readonly number[] {
  const { sql, params } = sessionCondition(filter);
  const rows = reader.all<{ key: number }>(
    `SELECT key FROM sessions WHERE ${sql}
       AND (? IS NULL OR coalesce(nullif(updated_at, ''), indexed_at) < ?)
     ORDER BY updated_at, id`,
    ...params,
    before ?? null,
    before ?? null,
  );
  return rows.map(({ key }) => key);
}

async function isGone(reader: Reader, key: number): Promise<boolean> {
  for (const path of pathsOf(reader, key)) if (await isFile(path)) return false;
  return true;
}

function storeBytes(reader: Reader): number {
  const size = reader.get<{ bytes: number }>(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
  );
  return size?.bytes ?? 0;
}
