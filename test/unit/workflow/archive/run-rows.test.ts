import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { OUTLIVING_TABLES, RUN_TABLES } from "../../../../src/workflow/archive/run-rows.ts";
import { WORKFLOW_MIGRATIONS } from "../../../../src/workflow/run/schema.ts";

test("it is said of every table with rows of runs what becomes of them", () => {
  using store = new Database(":memory:");
  for (const { sql } of WORKFLOW_MIGRATIONS) store.run(sql);
  const tables = store
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'run_id'`,
    )
    .all()
    .map(({ name }) => name);
  expect(tables.sort()).toEqual([...RUN_TABLES, ...OUTLIVING_TABLES].sort());
});
