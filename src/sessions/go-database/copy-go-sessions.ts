/**
 * Copies the sessions that a database of the Go program holds. The file itself is never changed. One
 * that was not written since it was copied is not looked at again.
 */
import { counted } from "../../lib/counted.ts";
import { messageOf } from "../../lib/errors.ts";
import { type GoRow, textOf } from "../../lib/go-row.ts";
import type { Clock } from "../../platform/clock.ts";
import { fileStamp } from "../../platform/file-stamp.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { isCorrupt } from "../../platform/sqlite/failure.ts";
import { createSecretScanner, type SecretScanner } from "../../secrets/scanner.ts";
import { createRedactor } from "../ingest/redact-batch.ts";
import type { SessionPowers } from "../powers.ts";
import { copiedRecords, findCopied, putCopied } from "./copied.ts";
import { type CopyOutcome, copyGoSession } from "./copy-session.ts";
import { type GoSessions, openGoSessions } from "./read-database.ts";

export interface CopyPowers {
  readonly database: Database;
  readonly clock: Clock;
  readonly scanner: () => SecretScanner;
  /** Name of this computer. */
  readonly machine: string;
  /** Is told what was copied, and what could not be. */
  readonly notice: (line: string) => void;
}

/** Copies what is new in any database whose sessions belong in the store. */
export async function copyEveryGoDatabase(
  { goDatabases, clock, machine, notice }: SessionPowers,
  database: Database,
): Promise<void> {
  for (const path of await goDatabases(database.path)) {
    await copyGoSessions({ database, clock, scanner: createSecretScanner, machine, notice }, path);
  }
}

type Counts = Record<CopyOutcome, number>;

/**
 * Never fails the command: what cannot be read is named in a notice, once for each state of the file.
 * Killed on the way it has copied whole sessions, and the next call goes on.
 * @param path absolute path of the Go program's database.
 */
export async function copyGoSessions(powers: CopyPowers, path: string): Promise<void> {
  const { database, clock, notice } = powers;
  const stamp = await stampOf(path);
  if (findCopied(database, path)?.stamp === stamp) return;
  const counts: Counts = { copied: 0, kept: 0, overtaken: 0, torn: 0, unusable: 0 };
  let sessions = 0;
  let error: string | null = null;
  let isFinal = true;
  try {
    await using go = await openGoSessions(path);
    const listed = go.list();
    sessions = listed.length;
    await copyAll(powers, { go, path, listed, counts });
  } catch (failure) {
    error = messageOf(failure);
    isFinal = isCorrupt(failure);
  }
  if (isFinal && counts.overtaken === 0) {
    try {
      await database.write((tx) => putCopied(tx, path, { stamp, sessions, error }, clock.iso()));
    } catch (failure) {
      error ??= messageOf(failure);
    }
  }
  tell(path, counts, error, notice);
}

/** Differs when the database was written since, its log included. */
export async function stampOf(path: string): Promise<string> {
  const stamps = await Promise.all([path, `${path}-wal`].map(fileStamp));
  return stamps.map((one) => one?.stamp ?? "none").join("; ");
}

interface Copying {
  readonly go: GoSessions;
  readonly path: string;
  readonly listed: readonly GoRow[];
  readonly counts: Counts;
}

async function copyAll(powers: CopyPowers, { go, path, listed, counts }: Copying): Promise<void> {
  const { database, clock, machine } = powers;
  const done = copiedRecords(database, path);
  const redactor = createRedactor(powers.scanner());
  for (const row of listed) {
    const id = textOf(row, "id");
    const changedAt = textOf(row, "indexed_at") || textOf(row, "updated_at");
    if (done.get(id) === changedAt) continue;
    const session = { database, clock, redactor, machine, go, path, id, changedAt };
    try {
      counts[await copyGoSession(session)] += 1;
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      counts.unusable += 1;
    }
  }
}

function tell(
  path: string,
  { copied, torn, unusable }: Counts,
  error: string | null,
  notice: (line: string) => void,
): void {
  const whole = copied + torn;
  const rest = [
    ...(torn === 0 ? [] : [`; of ${torn} not all, since the file is damaged`]),
    ...(unusable === 0 ? [] : [`; left out as damaged: ${counted(unusable, "record")}`]),
  ].join("");
  if (whole > 0 || unusable > 0) {
    const what = whole === 0 ? "nothing" : counted(whole, "session");
    notice(`copied ${what} of the Go program from ${path}, which stays as it is${rest}`);
  }
  if (error !== null) {
    notice(`not all of the Go program's sessions could be copied from ${path}: ${error}`);
  }
}
