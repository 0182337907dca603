/** Where pallium keeps its own data, and how the workflow store there is opened. */
import { join, resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { isFile } from "../platform/files.ts";
import type { Database } from "../platform/sqlite/database.ts";
import { looksForeign } from "../platform/sqlite/file-header.ts";

/** Added to the name of a database of the Go program for the store that takes its place. */
const BESIDE = ".pallium";

/** An index writes all over its file. */
const SESSIONS_AT_WORK = 16 * 1024 ** 2;
/** A page of SQLite's usual size holds a handful of messages. */
const SESSIONS_PAGE = 8192;

export async function openStore(path: string): Promise<Database> {
  const [{ openDatabase }, { WORKFLOW_MIGRATIONS }] = await Promise.all([
    import("../platform/sqlite/database.ts"),
    import("../workflow/run/schema.ts"),
  ]);
  return openDatabase({ path, migrations: WORKFLOW_MIGRATIONS, synchronous: "FULL" });
}

/** The store of session memory at a path. What it loses in a power cut is read again from the transcripts. */
export async function openSessionStore(path: string): Promise<Database> {
  const [{ openDatabase }, { SESSION_MIGRATIONS }] = await Promise.all([
    import("../platform/sqlite/database.ts"),
    import("../sessions/store/schema.ts"),
  ]);
  const kind = "sessions";
  try {
    return await openDatabase({
      path,
      kind,
      migrations: SESSION_MIGRATIONS,
      synchronous: "NORMAL",
      workingBytes: SESSIONS_AT_WORK,
      pageBytes: SESSIONS_PAGE,
    });
  } catch (error) {
    const isGo = error instanceof PalliumError && (await looksForeign(path));
    throw isGo ? goDatabaseNamed(path, error) : error;
  }
}

function goDatabaseNamed(path: string, cause: PalliumError): PalliumError {
  return new PalliumError("database_foreign", `another program's database: ${path}`, {
    cause,
    hints: [
      "sessions of the Go program are copied from where it keeps them: leave --db away",
      "for one from elsewhere set PALLIUM_HOME to a folder that has it as codex-sessions.sqlite",
    ],
  });
}

/** `PALLIUM_HOME`, else `~/.pallium`. */
export function dataHome({ cwd, variables, home }: Environment): string {
  if (variables.PALLIUM_HOME) return resolve(cwd, variables.PALLIUM_HOME);
  if (home !== "") return resolve(cwd, home, ".pallium");
  throw new PalliumError("no_home", "there is no home directory to keep data in", {
    hints: ["set HOME, or PALLIUM_HOME to the folder that pallium may use"],
  });
}

/** What a path can lead to: runs, or what agents said before. */
const STORES = {
  runs: { file: "pallium.sqlite", testSuffix: "" },
  // Beside the store that the variable names, which holds runs.
  sessions: { file: "sessions.sqlite", testSuffix: ".sessions" },
} as const;

/** `--db`, else `PALLIUM_TEST_DB`, which always says that it is in force, else the user's store. */
export function storePath(
  { variables }: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
  store: keyof typeof STORES = "runs",
): string {
  if (asked !== undefined && asked !== "") return asked;
  const { file, testSuffix } = STORES[store];
  const test = variables.PALLIUM_TEST_DB;
  if (test === undefined || test === "") return join(home, file);
  announce(`PALLIUM_TEST_DB is set: using ${test}${testSuffix}`);
  return test + testSuffix;
}

/** A store, and the database of the Go program that belongs to it. */
export interface StorePlace {
  readonly path: string;
  /** Absolute. */
  readonly goDatabase?: string;
}

/**
 * Where the records are that a path stands for. The Go program's own place stands for the user's store;
 * beside any other database of that program lies the store that takes its place.
 */
export async function locateStore(
  environment: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
): Promise<StorePlace> {
  const own = join(home, "pallium.sqlite");
  const path = resolve(environment.cwd, storePath(environment, home, asked, announce));
  const goDatabase = await ownGoDatabase(environment, home);
  if (path === own || path === goDatabase) {
    return { path: own, ...(goDatabase === undefined ? {} : { goDatabase }) };
  }
  return (await isGoDatabase(path)) ? { path: path + BESIDE, goDatabase: path } : { path };
}

/** Opens the store that a path stands for, with what the Go program recorded there. */
export async function openUserStore(
  { path, goDatabase }: StorePlace,
  announce: (line: string) => void,
): Promise<Database> {
  const database = await openStore(path);
  if (goDatabase === undefined) return database;
  try {
    const { copyGoRecords } = await import("../workflow/go-database/copy-go-records.ts");
    await copyGoRecords(database, goDatabase, { clock: systemClock(), notice: announce });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Of the places where the Go program looks for its database the first that has one. */
async function ownGoDatabase(environment: Environment, home: string): Promise<string | undefined> {
  for (const place of goPlaces(environment, home))
    if (await isFile(place)) return (await looksForeign(place)) ? place : undefined;
  return undefined;
}

/** Every database of the Go program where it keeps its own; its sessions can be in both. */
export async function ownGoDatabases(
  environment: Environment,
  home: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of goPlaces(environment, home)) {
    if ((await isFile(place)) && (await looksForeign(place))) found.push(place);
  }
  return found;
}

function goPlaces({ cwd, home: userHome, variables }: Environment, home: string) {
  const places = [join(home, "codex-sessions.sqlite")];
  if (!variables.PALLIUM_HOME && userHome !== "") {
    places.push(resolve(cwd, userHome, ".codex-memory", "codex-sessions.sqlite"));
  }
  return places;
}

async function isGoDatabase(path: string): Promise<boolean> {
  if (!(await looksForeign(path))) return false;
  const { hasGoRuns } = await import("../workflow/go-database/read-database.ts");
  try {
    return await hasGoRuns(path);
  } catch (error) {
    // Opening it as a store says what is wrong with it.
    if (error instanceof PalliumError) return false;
    throw error;
  }
}
