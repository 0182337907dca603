/** Where pallium keeps its own data, and how the workflow store there is opened. */
import { join, resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import type { Environment } from "../platform/environment.ts";
import type { Database } from "../platform/sqlite/database.ts";

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
  { variables }: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
): string {
  if (asked !== undefined && asked !== "") return asked;
  const test = variables.PALLIUM_TEST_DB;
  if (test !== undefined && test !== "") {
    announce(`PALLIUM_TEST_DB is set: using ${test}`);
    return test;
  }
  return join(home, "pallium.sqlite");
}
