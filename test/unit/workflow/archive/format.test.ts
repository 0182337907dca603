import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  columnsOf,
  EXPORTED_TABLES,
  isExportedFile,
  isSafePath,
  LEFT_OUT,
} from "../../../../src/workflow/archive/format.ts";
import { RUN_TABLES } from "../../../../src/workflow/archive/run-rows.ts";
import { WORKFLOW_MIGRATIONS } from "../../../../src/workflow/run/schema.ts";

function schema(): Database {
  const store = new Database(":memory:");
  for (const { sql } of WORKFLOW_MIGRATIONS) store.run(sql);
  return store;
}

describe("the format of an exported run", () => {
  test.each([...EXPORTED_TABLES])("decides of every column of %s what becomes of it", (table) => {
    using store = schema();
    const columns = store
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name);
    expect(
      columnsOf(table)
        .map(([name]) => name)
        .sort(),
    ).toEqual(columns.sort());
  });

  test("decides of every table with rows of runs whether it is exported", () => {
    const decided: readonly string[] = [...EXPORTED_TABLES, ...LEFT_OUT];
    expect([...decided].sort()).toEqual(["workflow_runs", ...RUN_TABLES].sort());
  });

  test("leaves commands, processes, grants and folders of this machine behind", () => {
    const local = columnsOf("workflow_runs").filter(([, decision]) => typeof decision === "object");
    expect(local.map(([name]) => name).sort()).toEqual([
      "allow_network",
      "codex_binary",
      "links",
      "notify",
      "owned_session_id",
      "record_folder",
      "replay_folder",
    ]);
  });

  test.each([
    ["workflow.js", true],
    ["calls/a/exit", true],
    ["calls/a/pid", false],
    ["calls/a/retry-1/pid", false],
    ["calls/a/workspace.json", false],
    ["run.json", false],
    ["worktrees/a/b", false],
    ["objects/k/ab/cdef", true],
    ["objects/k/info/alternates", false],
    ["objects/k/temporary-1/index", false],
    ["patches/.a.patch.1-2.tmp", false],
  ])("isExportedFile(%p) is %p", (path, wanted) => {
    expect(isExportedFile(path)).toBe(wanted);
  });

  test.each(["", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", "a\\b", "C:a", "a\0b", "a\nb"])(
    "isSafePath(%p) is false",
    (path) => {
      expect(isSafePath(path)).toBe(false);
    },
  );
});
