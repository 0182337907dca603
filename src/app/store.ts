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

export async function openStore(path: string): Promise<Database> {
  const [{ openDatabase }, { WORKFLOW_MIGRATIONS }] = await Promise.all([
    import("../platform/sqlite/database.ts"),
    import("../workflow/run/schema.ts"),
  ]);
  return openDatabase({ path, migrations: WORKFLOW_MIGRATIONS, synchronous: "FULL" });
}

/** `PALLIUM_HOME`, else `~/.pallium`. */
export function dataHome({ cwd, variables, home }: Environment): string {
  if (variables.PALLIUM_HOME) return resolve(cwd, variables.PALLIUM_HOME);
  if (home !== "") return resolve(cwd, home, ".pallium");
  throw new PalliumError("no_home", "there is no home directory to keep data in", {
    hints: ["set HOME, or PALLIUM_HOME to the folder that pallium may use"],
  });
}

/** `--db`, else `PALLIUM_TEST_DB`, which always says that it is in force, else the user's store. */
export function storePath(
  environment: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
): string {
  if (asked !== undefined && asked !== "") return asked;
  return testPath(environment, "", announce) ?? join(home, "pallium.sqlite");
}

/** The same for session memory, which lies beside the store that `PALLIUM_TEST_DB` names. */
export function sessionsPath(
  environment: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
): string {
  if (asked !== undefined && asked !== "") return asked;
  return testPath(environment, ".sessions", announce) ?? join(home, "sessions.sqlite");
}

function testPath(
  { variables }: Environment,
  suffix: string,
  announce: (line: string) => void,
): string | undefined {
  const test = variables.PALLIUM_TEST_DB;
  if (test === undefined || test === "") return undefined;
  announce(`PALLIUM_TEST_DB is set: using ${test}${suffix}`);
  return test + suffix;
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
async function ownGoDatabase(
  { cwd, home: userHome, variables }: Environment,
  home: string,
): Promise<string | undefined> {
  const places = [join(home, "codex-sessions.sqlite")];
  if (!variables.PALLIUM_HOME && userHome !== "") {
    places.push(resolve(cwd, userHome, ".codex-memory", "codex-sessions.sqlite"));
  }
  for (const place of places)
    if (await isFile(place)) return (await looksForeign(place)) ? place : undefined;
  return undefined;
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
