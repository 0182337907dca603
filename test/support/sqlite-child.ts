/** A process of its own that uses the database of `sqlite.ts`; prints what happened as JSON. */
import { Database as Connection } from "bun:sqlite";
import { errorData } from "../../src/lib/errors.ts";
import { openDatabase } from "../../src/platform/sqlite/database.ts";
import { giveUpRoot } from "./give-up-root.ts";
import { countOf, increment, openCounter } from "./sqlite.ts";

/** Enough for processes that migrate the same database to meet between them. */
const STEPS = 30;
const INCREMENTS = 50;
const BLOB_BYTES = 64 * 1024;

const ACTIONS: Record<string, (path: string) => Promise<unknown>> = {
  async open(path) {
    (await openCounter(path)).close();
    return "opened";
  },

  async migrate(path) {
    const migrations = Array.from({ length: STEPS }, (_, index) => ({
      version: index + 1,
      name: `step ${index + 1}`,
      sql: `CREATE TABLE step_${index + 1} (x INTEGER) STRICT`,
    }));
    const database = await openDatabase({ path, migrations });
    const version = database.get("PRAGMA user_version");
    database.close();
    return version;
  },

  async increment(path) {
    const database = await openCounter(path);
    for (let i = 0; i < INCREMENTS; i += 1) await increment(database);
    database.close();
    return INCREMENTS;
  },

  /** Never returns: whoever started it ends it. */
  async hold(path) {
    const connection = new Connection(path);
    connection.run("BEGIN IMMEDIATE");
    connection.run("UPDATE counter SET n = 1000");
    process.stdout.write("held\n");
    await new Promise(() => process.stdin.resume());
  },

  /** Writes until it cannot; both counts are of writes that were acknowledged. */
  async fill(path) {
    const database = await openCounter(path);
    const blob = new Uint8Array(BLOB_BYTES).fill(7);
    let written = 0;
    try {
      for (;;) {
        await database.write((tx) => tx.run("INSERT INTO blobs VALUES (?)", blob));
        written += 1;
      }
    } catch (error) {
      return { ...errorData(error), written, readable: countOf(database) };
    }
  },

  async unprivileged(path) {
    giveUpRoot();
    const database = await openCounter(path);
    const read = countOf(database);
    const write = await increment(database).catch((error) => errorData(error).code);
    database.close();
    return { read, write };
  },
};

const [action = "", path = ""] = process.argv.slice(2);
const outcome = await ACTIONS[action]?.(path).catch(errorData);
process.stdout.write(JSON.stringify(outcome ?? null));
