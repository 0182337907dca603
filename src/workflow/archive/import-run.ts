/** `workflow import`: a run that was exported is put on record here. */
import { join, resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { assertId } from "../../lib/valid-id.ts";
import { archiveInvalid } from "../../platform/archive-file/read.ts";
import { readTextNow } from "../../platform/bounded-read.ts";
import { exists, renameFolder } from "../../platform/files.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { insertRow } from "../run/insert-row.ts";
import { acquireLease, holdLease, type Lease, releaseLease } from "../run/lease.ts";
import { assertNotRemoved, forgetRemoval, putRemoval } from "../run/removals.ts";
import { noteRun } from "../run/run-note.ts";
import { findRun, requireRun } from "../run/store.ts";
import type { RunStatus } from "../run/types.ts";
import { endRemoval, finishRemovals, removeFiles } from "./finish-removals.ts";
import { isExportedTable } from "./format.ts";
import { type ImportedAs, idsIn, importedRow, type Row, withNewIds } from "./imported-rows.ts";
import { makeStaging, type Staging, sweepStaging } from "./staging.ts";
import { type UnpackedRun, unpackRun } from "./unpack.ts";

export interface ImportRequest {
  readonly file: string;
  /** Id that the run gets here; the one it had without. */
  readonly id?: string;
}

export interface ImportedRun {
  readonly id: string;
  /** Id that it had where it was exported. */
  readonly exported_id: string;
  readonly status: RunStatus;
  /** Its folder here, absolute. */
  readonly path: string;
  readonly files: number;
}

/**
 * All of the run is there afterwards, or nothing; what is left when the process is killed goes with the
 * next import or `workflow gc`.
 * @throws PalliumError `archive_not_found`, `archive_invalid`, `archive_newer`, `invalid_id`,
 *   `run_exists`, and those of writing files.
 */
export async function importRun(
  powers: WorkflowPowers,
  database: Database,
  request: ImportRequest,
  { warn }: RunObserver,
): Promise<ImportedRun> {
  if (request.id !== undefined) assertId(request.id);
  await finishRemovals(powers, database, warn);
  await sweepStaging(powers.runsDirectory, powers.clock.now());
  const file = resolve(powers.environment.cwd, request.file);
  const staging = await makeStaging(powers.runsDirectory, powers.ids);
  try {
    const unpacked = await unpackRun(file, staging);
    const as = importedAs(powers, unpacked, request.id, file);
    await assertFree(database, as);
    await renameFiles(staging, unpacked, as);
    await placeRun(powers, database, { file, staging, unpacked, as });
    const { status } = requireRun(database, as.id);
    return {
      id: as.id,
      exported_id: unpacked.id,
      status,
      path: as.folder,
      files: unpacked.files.length,
    };
  } finally {
    await staging.remove();
  }
}

/** Records get new ids with another id of the run: the run itself may be here too. */
function importedAs(
  { ids, runsDirectory }: WorkflowPowers,
  unpacked: UnpackedRun,
  asked: string | undefined,
  file: string,
): ImportedAs {
  const id = asked ?? unpacked.id;
  assertId(id);
  const renamed = new Map<string, string>();
  if (id !== unpacked.id) {
    for (const [table, row] of rowsIn(unpacked, file)) {
      for (const old of idsIn(table, row)) {
        if (!renamed.has(old)) renamed.set(old, ids.next(old.replace(/-[^-]*$/, "") || "call"));
      }
    }
  }
  return { id, exportedId: unpacked.id, folder: join(runsDirectory, id), ids: renamed };
}

async function assertFree(database: Database, { id, folder }: ImportedAs): Promise<void> {
  if (findRun(database, id) === undefined && !(await exists(folder))) return;
  throw new PalliumError("run_exists", `a run with the id ${id} is here already`, {
    hints: ["give it another one: --id <id>", `or delete that one: pallium workflow delete ${id}`],
  });
}

/** Files and folders that are named by ids of records get the new names. */
async function renameFiles(
  staging: Staging,
  { files }: UnpackedRun,
  { ids }: ImportedAs,
): Promise<void> {
  const folders = new Set(files.map((path) => path.split("/").slice(0, 2).join("/")));
  for (const path of folders) {
    const renamed = withNewIds(path, ids);
    if (renamed !== path) {
      await renameFolder(join(staging.files, path), join(staging.files, renamed));
    }
  }
}

interface Placing {
  readonly file: string;
  readonly staging: Staging;
  readonly unpacked: UnpackedRun;
  readonly as: ImportedAs;
}

/** A record of the removal stands until rows and files are both there: a killed import is taken back by it. */
async function placeRun(
  powers: WorkflowPowers,
  database: Database,
  placing: Placing,
): Promise<void> {
  const { staging, as } = placing;
  const removal = { runId: as.id, rowsGone: true, repositories: [] };
  await noteRun(staging.files, database.path);
  const lease = await database.write((tx): Lease => {
    assertNotRemoved(tx, as.id);
    if (findRun(tx, as.id) !== undefined) throw archiveInvalid(placing.file, "its id was taken");
    putRemoval(tx, removal, powers.clock.iso());
    return acquireLease(tx, as.id, powers.clock);
  });
  try {
    await renameFolder(staging.files, as.folder);
    await database.write((tx) => {
      holdLease(tx, lease, powers.clock);
      writeRows(tx, placing);
      forgetRemoval(tx, as.id);
      releaseLease(tx, lease);
    });
  } catch (error) {
    await removeFiles(powers, database, removal);
    await endRemoval(database, lease);
    if (error instanceof PalliumError) throw error;
    throw archiveInvalid(placing.file, "its rows are not those of a run");
  }
}

function writeRows(tx: Transaction, { file, staging, unpacked, as }: Placing): void {
  for (const hash of unpacked.texts) {
    const sql = "INSERT OR IGNORE INTO workflow_artifacts (hash, body) VALUES (?, ?)";
    tx.run(sql, hash, readTextNow(join(staging.texts, hash)));
  }
  for (const [table, row] of rowsIn(unpacked, file)) {
    const imported = importedRow(table, row, as);
    if (typeof imported === "string") throw archiveInvalid(file, imported);
    insertRow(tx, table, imported);
  }
  if (findRun(tx, as.id) === undefined) throw archiveInvalid(file, "it holds no run");
}

function* rowsIn({ rows }: UnpackedRun, file: string) {
  for (const { table, path } of rows) {
    if (!isExportedTable(table)) continue;
    for (const line of readTextNow(path).split("\n")) {
      if (line === "") continue;
      const row = parseJson(line);
      if (!isRecord(row)) throw archiveInvalid(file, `a row of ${table} is damaged`);
      yield [table, row as Row] as const;
    }
  }
}
