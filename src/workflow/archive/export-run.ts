/** `workflow export`: a run, its records and its files, as one file for another machine. */
import { join, resolve } from "node:path";
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import { type ListedFile, listPlainFiles } from "../../platform/archive-file/list-files.ts";
import {
  type ArchiveEntry,
  type WrittenEntry,
  writeArchive,
} from "../../platform/archive-file/write.ts";
import { readPieces, readRegularFile } from "../../platform/bounded-read.ts";
import { fileStamp } from "../../platform/file-stamp.ts";
import { exists } from "../../platform/files.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import { runInUse } from "../gc/collect-run.ts";
import { workedIn } from "../gc/one-store.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { acquireLease, releaseLease } from "../run/lease.ts";
import { assertNotRemoved } from "../run/removals.ts";
import { readRunNote } from "../run/run-note.ts";
import { requireArtifact, requireRun } from "../run/store.ts";
import { exportedRows } from "./exported-rows.ts";
import {
  EXPORTED_TABLES,
  FILES,
  FORMAT,
  FORMAT_VERSION,
  HEADER_ENTRY,
  isExportedFile,
  isSafePath,
  MANIFEST_ENTRY,
  ROWS,
  TEXTS,
} from "./format.ts";
import { ARTIFACTS_OF_RUN } from "./run-rows.ts";
import { ALLOW_SECRETS, createSecretSearch, SEARCH_LIMIT } from "./secret-search.ts";

export interface ExportRequest {
  readonly id: string;
  /** File to write; in the directory pallium was started in without. */
  readonly output?: string;
  /** Replace a file that is there. */
  readonly force?: boolean;
}

export interface ExportedRun {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Files of the run's folder that are in it. */
  readonly files: number;
  /** Paths in the run's folder that are not: links, pipes, and names that no archive can hold. */
  readonly left_out: readonly string[];
}

const EXTENSION = ".pallium.tar.gz";
const encoder = new TextEncoder();

interface Exporting {
  readonly reader: Reader;
  readonly runId: string;
  /** Absolute folder of the run. */
  readonly folder: string;
  readonly files: readonly ListedFile[];
}

/**
 * Nobody executes the run meanwhile. Equal runs come to equal bytes; the file is written aside, and is
 * there as a whole or not at all.
 * @throws PalliumError `run_not_found`, `run_owned`, `run_in_use`, `file_exists`, `secret_in_run`,
 *   `file_changed`, and those of `writeFileDurable`.
 */
export async function exportRun(
  powers: WorkflowPowers,
  database: Database,
  { id, output, force = false }: ExportRequest,
  { warn }: RunObserver,
): Promise<ExportedRun> {
  const path = resolve(powers.environment.cwd, output ?? `${id}${EXTENSION}`);
  requireRun(database, id);
  if (!force && (await exists(path))) throw fileExists(path);
  const lease = await database.write((tx) => {
    requireRun(tx, id);
    assertNotRemoved(tx, id);
    return acquireLease(tx, id, powers.clock);
  });
  try {
    const isWorkedIn = await workedIn(database, [{ id }]);
    if (isWorkedIn({ id })) throw runInUse(id, "workers of it are still alive");
    const folder = join(powers.runsDirectory, id);
    const { files, others } = await filesOf(folder, database.path);
    const exporting = { reader: database, runId: id, folder, files };
    await assertNoSecrets(exporting, warn, powers.environment.variables[ALLOW_SECRETS] === "1");
    if (others.length > 0) warn(`${counted(others.length, "path")} left out: no plain files`);
    await writeArchive(path, entriesOf(exporting), manifest);
    const bytes = (await fileStamp(path))?.bytes ?? 0;
    return { id, path, bytes, files: files.length, left_out: others };
  } finally {
    await database.write((tx) => releaseLease(tx, lease));
  }
}

/** A folder that another store has on record is not the run's. */
async function filesOf(folder: string, store: string) {
  const note = await readRunNote(folder);
  const isOurs = note === undefined || note.store === store;
  const { files, others } = await listPlainFiles(folder, (path) => isOurs && isExportedFile(path));
  const unsafe = files.filter(({ path }) => !isSafePath(path)).map(({ path }) => path);
  return {
    files: files.filter(({ path }) => isSafePath(path)),
    others: [...others, ...unsafe],
  };
}

async function* entriesOf({
  reader,
  runId,
  folder,
  files,
}: Exporting): AsyncGenerator<ArchiveEntry> {
  const header = { format: FORMAT, version: FORMAT_VERSION, id: runId };
  yield textEntry(HEADER_ENTRY, `${JSON.stringify(header)}\n`);
  for (const table of EXPORTED_TABLES) {
    let number = 0;
    for (const rows of exportedRows(reader, table, runId)) {
      number += 1;
      yield textEntry(`${ROWS}${table}/${String(number).padStart(6, "0")}.jsonl`, rows);
    }
  }
  for (const hash of textsOf(reader, runId)) {
    yield textEntry(TEXTS + hash, requireArtifact(reader, hash));
  }
  for (const { path, bytes } of files) {
    yield { name: FILES + path, size: bytes, content: readPieces(join(folder, path)) };
  }
}

function textEntry(name: string, text: string): ArchiveEntry {
  const bytes = encoder.encode(text);
  return { name, size: bytes.length, content: [bytes] };
}

function manifest(entries: readonly WrittenEntry[]) {
  return { name: MANIFEST_ENTRY, text: `${JSON.stringify({ entries })}\n` };
}

/** Hashes, each once; a run of the Go program may have lost its script. */
function textsOf(reader: Reader, runId: string): readonly string[] {
  return reader
    .all<{ hash: string }>(
      `SELECT hash FROM (${ARTIFACTS_OF_RUN}) WHERE hash <> '' ORDER BY hash`,
      runId,
    )
    .map(({ hash }) => hash);
}

async function assertNoSecrets(
  { reader, runId, folder, files }: Exporting,
  warn: (line: string) => void,
  isAllowed: boolean,
): Promise<void> {
  const search = createSecretSearch(warn);
  for (const table of EXPORTED_TABLES) {
    for (const rows of exportedRows(reader, table, runId)) {
      await search.look(table, encoder.encode(rows));
    }
  }
  const names = textNames(reader, runId);
  for (const hash of textsOf(reader, runId)) {
    await search.look(names.get(hash) ?? "script", encoder.encode(requireArtifact(reader, hash)));
  }
  for (const { path } of files) {
    const bytes = await readRegularFile(join(folder, path), SEARCH_LIMIT);
    if (bytes === undefined) search.tooLarge(path);
    else if (path.startsWith("objects/")) await search.lookInto(path, bytes);
    else await search.look(path, bytes);
  }
  search.assertNone(runId, isAllowed);
}

/** What a text is, for whoever is told that it holds a secret. */
function textNames(reader: Reader, runId: string): ReadonlyMap<string, string> {
  const calls = reader.all<{ id: string; label: string; prompt: string; output: string | null }>(
    `SELECT id, label, prompt_artifact AS prompt, output_artifact AS output FROM workflow_calls
     WHERE run_id = ?`,
    runId,
  );
  return new Map(
    calls.flatMap(({ id, label, prompt, output }) => [
      [prompt, `prompt of ${label || id}`] as const,
      ...(output === null ? [] : [[output, `answer of ${label || id}`] as const]),
    ]),
  );
}

function fileExists(path: string): PalliumError {
  return new PalliumError("file_exists", `a file is there already: ${path}`, {
    hints: ["name another one with --output, or replace it with --force"],
  });
}
