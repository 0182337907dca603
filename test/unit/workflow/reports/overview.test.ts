/** What `fleet` and `analytics` count, and what it costs to count it. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { Database, Reader, SqlValue } from "../../../../src/platform/sqlite/database.ts";
import { readAnalytics } from "../../../../src/workflow/reports/analytics.ts";
import { readFleet } from "../../../../src/workflow/reports/fleet.ts";
import { statusReport } from "../../../../src/workflow/reports/status.ts";
import { listRuns, readOutline, requireRun } from "../../../../src/workflow/run/store.ts";
import { RUN_STATUSES } from "../../../../src/workflow/run/types.ts";
import { AT, openStore, putCall, putRun } from "../../../support/store.ts";
import { tempDir } from "../../../support/temp.ts";

const NOW = new Date("2026-12-02T03:00:01.500Z");
const LARGE = 256 * 1024;
/** Bytes that SQLite reads at once. */
const PAGE = 4096;

/** The same database; `statements` are those that it was asked, with their values. */
function counting(database: Database) {
  const statements: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [];
  const asked = (sql: string, values: readonly SqlValue[]) => statements.push({ sql, values });
  const reader: Reader = {
    all: (sql, ...values) => {
      asked(sql, values);
      return database.all(sql, ...values);
    },
    get: (sql, ...values) => {
      asked(sql, values);
      return database.get(sql, ...values);
    },
  };
  return { reader, statements };
}

async function addRuns(database: Database, count: number, text: string): Promise<void> {
  await database.write((tx) => {
    for (let at = 0; at < count; at++) {
      const id = `wf-${at}`;
      const status = RUN_STATUSES[at % RUN_STATUSES.length] ?? "completed";
      putRun(tx, id, status, { result: text, args_json: text });
      putCall(tx, id, { prompt: text, output: text, usage_json: text });
      putCall(tx, id, { status: "failed", outcome: "timeout", provider: "other" });
    }
  });
}

/** Bytes that this process has read so far, from the cache of the system too. */
async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
}

describe("the cost of an overview", () => {
  test("is the same number of statements for one run and for thousands, none of which reads prompts, answers or results (P3)", async () => {
    await using folder = await tempDir();
    using one = await openStore(folder.join("one.sqlite"));
    using many = await openStore(folder.join("many.sqlite"));
    await addRuns(one, 1, "short");
    await addRuns(many, 2000, "short");
    for (const read of [readFleet, readAnalytics]) {
      const [few, all] = [counting(one), counting(many)];
      read(few.reader, 5000, NOW, []);
      expect(read(all.reader, 5000, NOW, [])).toMatchObject({ runs_total: 2000 });
      // The first run of the store is active, and there is one more statement for active runs.
      expect(all.statements.length).toBe(few.statements.length);
      for (const { sql, values } of all.statements) {
        const plan = many.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
        const steps = plan.map(({ detail }) => detail);
        expect({ sql, scans: steps.filter((step) => /^SCAN workflow_calls/.test(step)) }).toEqual({
          sql,
          scans: [],
        });
        if (sql.includes("workflow_calls")) {
          expect(steps.join("\n")).toContain("USING COVERING INDEX workflow_calls_counted");
        }
        if (sql.includes("FROM workflow_runs ORDER")) {
          expect(steps).toEqual([
            expect.stringMatching(
              /^SCAN workflow_runs USING (COVERING )?INDEX workflow_runs_newest$/,
            ),
          ]);
        }
        expect(sql).not.toContain("workflow_artifacts");
      }
    }
  });

  test.skipIf(process.platform !== "linux")(
    "does not grow with what agents answered (P3)",
    async () => {
      await using folder = await tempDir();
      const cost = async (name: string, text: string) => {
        const path = folder.join(name);
        {
          using store = await openStore(path);
          await addRuns(store, RUNS, text);
          await store.write((tx) => {
            // Whoever reads a prompt or an answer will not find it. Of active runs all is shown.
            tx.run("DROP TABLE workflow_artifacts");
            tx.run("UPDATE workflow_runs SET status = 'completed'");
          });
        }
        using store = await openStore(path);
        const before = await bytesRead();
        readFleet(store, RUNS, NOW, []);
        readAnalytics(store, RUNS, NOW, []);
        return (await bytesRead()) - before;
      };
      const RUNS = 24;
      const small = await cost("small.sqlite", "x");
      expect(small).toBeGreaterThan(0);
      const large = await cost("large.sqlite", "x".repeat(LARGE));
      expect(large).toBeLessThan(small + RUNS * PAGE * 2);
    },
  );
});

describe("an overview", () => {
  test("says of each run what its status says, and counts the newest alone", async () => {
    await using folder = await tempDir();
    using store = await openStore(folder.join("store.sqlite"));
    await addRuns(store, 20, "text");
    await store.write((tx) => {
      tx.run(
        "UPDATE workflow_runs SET updated_at = ? WHERE id = 'wf-7'",
        "2026-12-02T04:00:00.000Z",
      );
      tx.run("UPDATE workflow_runs SET error = 'why', script_changed = 1 WHERE id = 'wf-5'");
      tx.run(
        "INSERT INTO workflow_failures VALUES ('wf-5', 1, 'l', '', 'e'), ('wf-5', 2, '', '', 'e')",
      );
      tx.run(
        `INSERT INTO workflow_phases VALUES ('p-1', 'wf-5', 'one', 'completed', 1, '${AT}', '${AT}', NULL),
           ('p-2', 'wf-5', 'two', 'running', 1, '${AT}', '${AT}', NULL)`,
      );
      putCall(tx, "wf-5", { superseded: 1, status: "failed", outcome: "timeout" });
      putCall(tx, "wf-5", { primitive: "pallium.review" });
    });
    const fleet = readFleet(store, 50, NOW, []);
    expect(fleet.recent_runs).toEqual(
      listRuns(store, 50).map(({ id }) => statusReport(readOutline(store, requireRun(store, id)))),
    );
    expect(fleet.recent_runs?.[0]?.id).toBe("wf-7");
    expect(fleet.recent_runs?.find(({ id }) => id === "wf-5")).toMatchObject({
      dropped: 2,
      phases_total: 2,
      phases_completed: 1,
      agents_total: 2,
      script_changed: true,
      error: "why",
    });
    const newest = readFleet(store, 3, NOW, []);
    expect(newest).toMatchObject({ runs_total: 3, updated_at: "2026-12-02T03:00:01Z" });
    expect(newest.recent_runs?.length).toBe(3);
    expect(readAnalytics(store, 3, NOW, [])).toMatchObject({ agents_total: 6 });
  });

  test("counts an attempt that another one stands for in the cost alone", async () => {
    await using folder = await tempDir();
    using store = await openStore(folder.join("store.sqlite"));
    const attempt = { cost_micros: 250_000, input_tokens: 10, output_tokens: 1 };
    await store.write((tx) => {
      putRun(tx, "wf-1", "completed");
      putRun(tx, "wf-2", "failed");
      putCall(tx, "wf-1", { ...attempt, superseded: 1, status: "failed", outcome: "timeout" });
      putCall(tx, "wf-1", { ...attempt, mode: "edit", patch_path: "/p.patch" });
      putCall(tx, "wf-1", { ...attempt, provider: "", mode: "" });
    });
    expect(readAnalytics(store, 500, NOW, [])).toEqual({
      runs_total: 2,
      completion_rate: 0.5,
      runs_by_status: { completed: 1, failed: 1 },
      agents_total: 2,
      agents_by_status: { completed: 2 },
      agents_by_provider: { codex: 2 },
      agents_by_mode: { edit: 1, "read-only": 1 },
      patches_produced: 1,
      estimated_cost_usd: 0.75,
      input_tokens: 30,
      output_tokens: 3,
      average_agents_per_run: 1,
      triggers_total: 0,
      enabled_triggers: 0,
      most_recent_run_id: "wf-2",
      updated_at: "2026-12-02T03:00:01Z",
    });
  });

  test("of a store without runs has no rates that are no numbers", async () => {
    await using folder = await tempDir();
    using store = await openStore(folder.join("store.sqlite"));
    expect(readAnalytics(store, 500, NOW, [])).toMatchObject({
      completion_rate: 0,
      average_agents_per_run: 0,
    });
    expect(readFleet(store, 50, NOW, [])).not.toHaveProperty("recent_runs");
  });
});
