/**
 * Copies what a database of the Go program has of workflows: runs with their calls, phases, gates and
 * decisions, and triggers. The file itself is never changed. One that was not written since it was
 * copied is not looked at again.
 */
import { dirname, join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { type GoRow, integerOf, textOf, timeOf } from "../../lib/go-row.ts";
import { readHead } from "../../platform/bounded-read.ts";
import type { Clock } from "../../platform/clock.ts";
import { fileStamp } from "../../platform/file-stamp.ts";
import { identityOf } from "../../platform/process/identity.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import { deleteRows } from "../archive/run-rows.ts";
import { type CopiedKind, copiedAt, findCopied, noteCopied, putCopied } from "./copied.ts";
import { copyGoDecision, copyGoRun, type GoScript } from "./copy-run.ts";
import { copyGoTrigger } from "./copy-trigger.ts";
import { type GoDatabase, openGoDatabase } from "./read-database.ts";

export interface CopyPowers {
  readonly clock: Clock;
  /** Is told what was copied, and what could not be. */
  readonly notice: (line: string) => void;
}

interface Counts {
  runs: number;
  triggers: number;
  decisions: number;
  /** Rows that cannot be what they should be. */
  unusable: number;
}

/** A run that nobody claimed counts as one at work for so long, as it does in the Go program. */
const UNCLAIMED_MS = 15 * 60_000;
/** A pid is given anew some day: a runner that said nothing for so long is not that process. */
const SILENT_MS = 24 * 60 * 60_000;
const SCRIPT_LIMIT = 16 * 1024 * 1024;

/**
 * Never fails the command: what cannot be read is named in a notice, once for each state of the file.
 * Killed on the way it has copied whole runs, and the next call goes on.
 * @param path absolute path of the Go program's database.
 */
export async function copyGoRecords(
  database: Database,
  path: string,
  powers: CopyPowers,
): Promise<void> {
  const stamp = await stampOf(path);
  const before = findCopied(database, path);
  if (before?.stamp === stamp && before.waitsFor.every(isAtWork)) return;
  const counts: Counts = { runs: 0, triggers: 0, decisions: 0, unusable: 0 };
  const waitsFor: number[] = [];
  let error: string | null = null;
  try {
    await using go = await openGoDatabase(path);
    waitsFor.push(...(await copyAll({ database, go, path, powers, counts })));
  } catch (failure) {
    error = messageOf(failure);
  }
  try {
    await database.write((tx) =>
      putCopied(tx, path, { stamp, waitsFor, error }, powers.clock.iso()),
    );
  } catch (failure) {
    error ??= messageOf(failure);
  }
  if (waitsFor.length > 0 && String(waitsFor) !== String(before?.waitsFor)) {
    const runs = counted(waitsFor.length, "run");
    powers.notice(`${runs} of the Go program at work: copied by the next command after the end`);
  }
  tell(path, counts, error, powers.notice);
}

async function stampOf(path: string): Promise<string> {
  const stamps = await Promise.all([path, `${path}-wal`].map(fileStamp));
  return stamps.map((one) => one?.stamp ?? "none").join("; ");
}

function isAtWork(pid: number): boolean {
  return pid > 0 && identityOf(pid) !== undefined;
}

interface Copying {
  readonly database: Database;
  readonly go: GoDatabase;
  readonly path: string;
  readonly powers: CopyPowers;
  readonly counts: Counts;
}

/** @returns pids of runs that are left for later, since they are at work; 0 for one without. */
async function copyAll(copying: Copying): Promise<readonly number[]> {
  const { database, go, counts } = copying;
  const runs = go.list("workflow_runs");
  const waitsFor: number[] = [];
  for (const listed of runs) {
    const pid = ownerAtWork(listed, copying.powers.clock);
    if (pid === undefined) await copyRun(copying, listed);
    else waitsFor.push(pid);
  }
  for (const { name } of go.list("workflow_triggers")) await copyTrigger(copying, String(name));
  const known = new Set(runs.map((run) => run.id));
  const orphans = go.list("workflow_decisions").filter(({ run_id }) => !known.has(run_id));
  counts.decisions += await database.write(
    (tx) =>
      orphans.filter((row) =>
        copyGoDecision(tx, go.row("workflow_decisions", String(row.id)) ?? {}, ""),
      ).length,
  );
  return waitsFor;
}

/** The process that executes a run of the Go program; 0 where it is not known yet. */
function ownerAtWork(run: GoRow, clock: Clock): number | undefined {
  const status = textOf(run, "status");
  if (status !== "running" && status !== "queued") return undefined;
  const heard = timeOf(run, "heartbeat_at") ?? timeOf(run, "updated_at") ?? "";
  const silentMs = clock.now().getTime() - Date.parse(heard);
  const pid = integerOf(run, "owner_pid");
  if (pid > 0) return isAtWork(pid) && silentMs < SILENT_MS ? pid : undefined;
  return silentMs < UNCLAIMED_MS ? 0 : undefined;
}

async function copyRun({ database, go, path, powers, counts }: Copying, listed: GoRow) {
  const id = textOf(listed, "id");
  const changedAt = textOf(listed, "updated_at");
  if (copiedAt(database, path, "run", id) === changedAt) return;
  const script = await scriptOf(path, id);
  const now = powers.clock.iso();
  const isCopied = await unlessUnusable(() =>
    database.write((tx) => {
      const mayCopy = makeRoom(tx, { path, kind: "run", id });
      if (mayCopy && !copyGoRun(tx, go, go.row("workflow_runs", id) ?? {}, script)) return false;
      noteCopied(tx, path, { kind: "run", id, changedAt }, now);
      return mayCopy ? true : undefined;
    }),
  );
  if (isCopied === true) counts.runs += 1;
  if (isCopied === false) counts.unusable += 1;
}

async function copyTrigger({ database, go, path, powers, counts }: Copying, name: string) {
  const row = go.row("workflow_triggers", name);
  const changedAt = row === undefined ? "" : textOf(row, "updated_at");
  if (row === undefined || copiedAt(database, path, "trigger", name) === changedAt) return;
  const isCopied = await unlessUnusable(() =>
    database.write((tx) => {
      if (!makeRoom(tx, { path, kind: "trigger", id: name })) return undefined;
      noteCopied(tx, path, { kind: "trigger", id: name, changedAt }, powers.clock.iso());
      return copyGoTrigger(tx, row);
    }),
  );
  if (isCopied === true) counts.triggers += 1;
  if (isCopied === false) counts.unusable += 1;
}

/** A row that the tables here refuse is one more that cannot be what it should be. */
async function unlessUnusable(
  copy: () => Promise<boolean | undefined>,
): Promise<boolean | undefined> {
  try {
    return await copy();
  } catch (error) {
    if (error instanceof PalliumError) throw error;
    return false;
  }
}

/**
 * Whether a record may be copied: it is not here, nor was before, or is here as it was copied and has
 * changed there since. Then that copy goes.
 */
function makeRoom(
  tx: Transaction,
  { path, kind, id }: { path: string; kind: CopiedKind; id: string },
): boolean {
  const copied = copiedAt(tx, path, kind, id);
  const here = changedHere(tx, kind, id);
  if (here === undefined) return copied === undefined;
  if (copied === undefined || here !== timeOf({ copied }, "copied")) return false;
  if (kind === "run") deleteRows(tx, id);
  else tx.run("DELETE FROM workflow_triggers WHERE name = ?", id);
  return true;
}

function changedHere(reader: Reader, kind: CopiedKind, id: string): string | undefined {
  const sql =
    kind === "run"
      ? "SELECT updated_at FROM workflow_runs WHERE id = ?"
      : "SELECT updated_at FROM workflow_triggers WHERE name = ?";
  return reader.get<{ updated_at: string }>(sql, id)?.updated_at;
}

/** The Go program keeps what a run executed beside its database. */
async function scriptOf(path: string, id: string): Promise<GoScript | undefined> {
  const script = join(dirname(path), "workflow-runs", id, "workflow.js");
  const head = await readHead(script, SCRIPT_LIMIT);
  return head === undefined || head.omittedBytes > 0
    ? undefined
    : { path: script, text: head.text };
}

function tell(
  path: string,
  { runs, triggers, decisions, unusable }: Counts,
  error: string | null,
  notice: (line: string) => void,
): void {
  const copied = [
    ...(runs === 0 ? [] : [counted(runs, "run")]),
    ...(triggers === 0 ? [] : [counted(triggers, "trigger")]),
    ...(decisions === 0 ? [] : [counted(decisions, "decision")]),
  ].join(", ");
  const rest = unusable === 0 ? "" : `; left out as damaged: ${counted(unusable, "record")}`;
  if (copied !== "" || rest !== "") {
    notice(
      `copied ${copied || "nothing"} of the Go program from ${path}, which stays as it is${rest}`,
    );
  }
  if (error !== null)
    notice(`not all of the Go program's records could be copied from ${path}: ${error}`);
}
