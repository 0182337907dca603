/** Two runs of one store held against each other. */
import { describe, expect, test } from "bun:test";
import { sha256 } from "../../../src/platform/hash.ts";
import type { Database } from "../../../src/platform/sqlite/database.ts";
import { compareRuns } from "../../../src/workflow/comparison/run-comparison.ts";
import { createTextComparison } from "../../../src/workflow/comparison/text-difference.ts";
import { AT, openStore, putCall, putRun } from "../../support/store.ts";
import { tempDir } from "../../support/temp.ts";

type Call = NonNullable<Parameters<typeof putCall>[2]>;

/** Its key follows from where it is made and what it asks. */
function call(scope: string, prompt: string, more: Call = {}): Call {
  return { prompt, call_key: `${scope}:${sha256(`${prompt}${more.label ?? ""}`)}:0`, ...more };
}

async function compare(before: readonly Call[], after: readonly Call[]) {
  await using folder = await tempDir();
  using store = await openStore(folder.join("store.sqlite"));
  await store.write((tx) => {
    for (const [id, calls] of [
      ["wf-1", before],
      ["wf-2", after],
    ] as const) {
      tx.run("INSERT OR IGNORE INTO workflow_artifacts VALUES ('script', 'return 1;')");
      putRun(tx, id, "completed", { script_artifact: "script", completed_at: AT });
      for (const one of calls) putCall(tx, id, one);
    }
  });
  return compareRuns(store, { before: "wf-1", after: "wf-2" });
}

const changes = ({ calls }: ReturnType<typeof compareRuns>) =>
  calls.map(({ change, label, differs }) =>
    `${change} ${label ?? "?"} ${differs.join(",")}`.trim(),
  );

describe("calls of two runs", () => {
  test("are the same whatever they took, what differs is named", async () => {
    const options = { label: "one", model: "m", mode: "read-only" };
    const compared = await compare(
      [
        call("", "p", { label: "zero", cost_micros: 5, input_tokens: 3 }),
        call("", "p", { ...options, output: '{"a":1,"b":2}' }),
        call("", "q", { label: "two", status: "failed", outcome: "timeout", error: "late" }),
      ],
      [
        call("", "p", { label: "zero", completed_at: "2026-12-02T04:00:00.000Z" }),
        call("", "other p", { ...options, model: "n", mode: "edit", output: '{"b":2, "a":1}' }),
        call("", "q", { label: "two" }),
      ],
    );
    expect(changes(compared)).toEqual([
      "same zero",
      "differs one prompt,model,mode",
      "differs two status,error",
    ]);
    expect(compared.calls[1]).toMatchObject({
      options: { model: { before: "m", after: "n" }, mode: { before: "read-only", after: "edit" } },
      prompt: { where: expect.stringContaining('("p" → "other p")'), removed: 1, added: 1 },
    });
    expect(compared.calls[0]).toMatchObject({
      before: { cost_usd: 0.000005, duration_ms: 0, input_tokens: 3 },
      after: { cost_usd: 0, duration_ms: 3_600_000 },
    });
    expect(compared.first_divergence).toMatchObject({ label: "one", change: "differs" });
  });

  test("are found again where they moved, by what they ask and by their label", async () => {
    const compared = await compare(
      [call("parallel#0[0]", "a", { label: "x" }), call("parallel#0[1]", "b", { label: "y" })],
      [
        call("parallel#0[0]", "new", { label: "z" }),
        call("parallel#0[1]", "a", { label: "x" }),
        call("parallel#0[2]", "b changed", { label: "y" }),
      ],
    );
    expect(changes(compared)).toEqual(["only_after z", "same x", "differs y prompt"]);
    expect(compared.calls.map(({ moved_from }) => moved_from)).toEqual([
      undefined,
      "parallel#0[0]",
      "parallel#0[1]",
    ]);
  });

  test("that have nothing in common but their place are different ones, unless nothing names them", async () => {
    const named = await compare([call("", "a", { label: "x" })], [call("", "b", { label: "y" })]);
    expect(changes(named)).toEqual(["only_before x", "only_after y"].reverse());
    const unnamed = await compare([call("", "a")], [call("", "b")]);
    expect(changes(unnamed)).toEqual(["differs ? prompt"]);
    const primitives = await compare([call("", "a")], [call("", "b", { primitive: "check" })]);
    expect(primitives.calls_by_change).toEqual({
      same: 0,
      differs: 0,
      only_before: 1,
      only_after: 1,
    });
  });

  test("stand in the order of the first run, what the second alone made behind what it followed", async () => {
    const one = (label: string) => call("", label, { label });
    const compared = await compare(
      [one("a"), one("gone"), one("b"), one("c")],
      [one("new 1"), one("b"), one("new 2"), one("new 3"), one("a"), one("c"), one("new 4")],
    );
    expect(compared.calls.map(({ label }) => label)).toEqual([
      "new 1",
      "a",
      "gone",
      "b",
      "new 2",
      "new 3",
      "c",
      "new 4",
    ]);
    expect(compared.first_divergence).toMatchObject({ label: "new 1", change: "only_after" });
  });

  test("of a check are the same whatever time it took", async () => {
    const check = (output: object) =>
      call("", "make", { primitive: "check", output: JSON.stringify(output) });
    const passed = { ok: true, summary: "passed in 0.1 s", duration_ms: 100, output_tail: "fine" };
    const slower = { ...passed, summary: "passed in 0.9 s", duration_ms: 900 };
    expect(changes(await compare([check(passed)], [check(slower)]))).toEqual(["same ?"]);
    expect(changes(await compare([check(passed)], [check({ ...slower, ok: false })]))).toEqual([
      "differs ? output",
    ]);
  });

  test("in other checkouts are in the same place of theirs", async () => {
    await using folder = await tempDir();
    using store = await openStore(folder.join("store.sqlite"));
    await store.write((tx) => {
      for (const [id, cwd] of [
        ["wf-1", "/home/one"],
        ["wf-2", "/home/two"],
      ] as const) {
        putRun(tx, id, "completed", { cwd });
        putCall(tx, id, { ...call("", `${id} differs`, { label: "x" }), repo: `${cwd}/web` });
      }
    });
    const compared = compareRuns(store, { before: "wf-1", after: "wf-2" });
    expect(changes(compared)).toEqual(["differs x prompt"]);
  });
});

test("attempts that another one stands for are in the cost alone, and a run is not held against itself", async () => {
  const attempt = call("", "p", { label: "x", cost_micros: 250_000 });
  const lost = { ...attempt, superseded: 1, status: "failed", outcome: "timeout" };
  const compared = await compare([lost, attempt], [attempt]);
  expect(changes(compared)).toEqual(["same x"]);
  expect([compared.before, compared.after]).toMatchObject([
    { agents_total: 1, cost_usd: 0.5, duration_ms: 0 },
    { agents_total: 1, cost_usd: 0.25 },
  ]);
  expect(compared).not.toHaveProperty("first_divergence");
  const never = undefined as unknown as Database;
  expect(() => compareRuns(never, { before: "wf-1", after: "wf-1" })).toThrow("with itself");
});

describe("texts", () => {
  test("that are JSON are compared by what they hold", () => {
    const difference = createTextComparison();
    expect(difference('{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }')).toBeUndefined();
    expect(difference('{"a":1}', '{"a":2}')).toMatchObject({
      removed: 1,
      added: 1,
      diff: '@@ -1,3 +1,3 @@\n {\n-  "a": 1\n+  "a": 2\n }\n',
    });
    expect(difference("", "one\n")).toMatchObject({ diff: "@@ -0,0 +1,1 @@\n+one\n" });
  });

  test("that are too long, or too deep, are not shown line by line", () => {
    const difference = createTextComparison();
    const long = "line\n".repeat(300_000);
    expect(difference(long, `${long}more`)).toMatchObject({ diff_omitted: "too_large" });
    const deep = (inner: string) => `${"[".repeat(100_000)}${inner}${"]".repeat(100_000)}`;
    expect(difference(deep("1"), deep("2"))?.where).toContain("first difference");
  });

  test("are shown line by line only as far as a document may grow", () => {
    const difference = createTextComparison();
    const lines = (word: string) => `${word}\n`.repeat(10_000);
    const results = Array.from({ length: 150 }, (_, at) => difference(lines("a"), lines(`b${at}`)));
    const sizes = results.map((one) => one?.diff?.length ?? 0);
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(results.at(-1)).toMatchObject({ diff_omitted: "too_large" });
  });
});
