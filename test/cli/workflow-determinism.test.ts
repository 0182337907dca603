import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { PACKS, packOf } from "../../src/workflow/authoring/packs/catalogue.ts";
import { TEMPLATES, templateScript } from "../../src/workflow/authoring/templates/catalogue.ts";
import type { Determinism } from "../../src/workflow/rehearsal/determinism.ts";
import { EXAMPLES } from "../support/examples.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

async function check(home: WorkflowHome, script: string, flags: readonly string[] = []) {
  await writeFile(join(home.directory, "flow.js"), script);
  const args = ["workflow", "check-determinism", "flow.js", "--json", ...flags];
  const { stdout, stderr, exitCode } = await home.pallium(args);
  if (stdout === "") throw new Error(stderr);
  const report: Determinism = JSON.parse(stdout);
  const { error } = outputs["workflow.check-determinism"].safeParse(report);
  expect(error?.issues ?? []).toEqual([]);
  expect(exitCode).toBe(report.deterministic ? 0 : 1);
  return { report, stderr };
}

const SHARED = `const seen = [];
await parallel(["a", "b"], async (item) => { seen.push(await agent("look at " + item)); });
const sum = () =>
  agent("sum up\\n" + seen.join(), { label: "sum" });
return sum();`;

describe("workflow check-determinism", () => {
  test("names the first call that differs, both sides with their line", async () => {
    await using home = await workflowHome();
    const { report, stderr } = await check(home, SHARED);
    expect(report.divergence).toMatchObject({
      kind: "call",
      one_order: { order: "first" },
      other_order: { order: "last" },
      one: { primitive: "agent", label: "sum", line: 4, column: 3, prompt: "sum up" },
      other: { primitive: "agent", label: "sum", line: 4, column: 3, prompt: "sum up" },
    });
    expect(report.divergence?.reason).toContain("prompt changed: first difference at character");
    expect(errorOf(stderr)).toMatchObject({ code: "not_deterministic" });
    expect(errorOf(stderr).message).toEndWith("at flow.js:4");
    const text = (await home.pallium(["workflow", "check-determinism", "flow.js"])).stdout;
    expect(text).toContain('first made, first done  line 4: agent "sum": sum up');
    expect(text).toContain('last made, first done   line 4: agent "sum": sum up');
  });

  test("names a call that is made in one order only", async () => {
    await using home = await workflowHome();
    const { report } = await check(
      home,
      `let last = "";
       await Promise.all(["a", "b"].map(async (item) => { await agent(item); last = item; }));
       if (last === "a") await check("only then");
       return 1;`,
    );
    expect(report.divergence).toMatchObject({
      kind: "call",
      other: { primitive: "check", line: 3 },
      reason: "made in one order of completion only",
    });
    expect(report.divergence?.one).toBeUndefined();
  });

  test("tells of results and ends that differ though the calls do not", async () => {
    await using home = await workflowHome();
    const race = 'return Promise.race([agent("a"), agent("b")])';
    expect((await check(home, race)).report.divergence).toMatchObject({ kind: "result" });
    const thrown = `let last; await Promise.all(["a", "b"].map(async (x) => { await agent(x); last = x; }));
      if (last === "a") throw new Error("a came last"); return 1`;
    expect((await check(home, thrown)).report.divergence).toMatchObject({ kind: "end" });
  });

  test("says how many calls it compared where all is well", async () => {
    await using home = await workflowHome();
    const { report } = await check(
      home,
      `const found = await parallel(["a", "b", "c"], (item) => agent("look at " + item));
       const both = await Promise.all([
         pipeline([1, 2], (n) => agent("p" + n), (text) => agent("q" + text)),
         parallel([1, 2], (n) => check("c" + n)),
       ]);
       await coordinator.replan("go on");
       return agent("sum up " + JSON.stringify([found, both]));`,
      ["--orders", "4"],
    );
    expect(report).toMatchObject({ deterministic: true, calls_compared: 11, notes: [] });
    expect(report.orders.map(({ order, seed }) => [order, seed])).toEqual([
      ["first", undefined],
      ["last", undefined],
      ["random", 1],
      ["random", 2],
    ]);
    const text = (await home.pallium(["workflow", "check-determinism", "flow.js"])).stdout;
    expect(text).toBe(
      "flow.js is deterministic: 11 calls compared, the same in 4 orders of completion.\n",
    );
  });

  test("finds by drawn orders what neither the first nor the last shows, again with the same seed", async () => {
    await using home = await workflowHome();
    const script = `const order = [];
      await parallel(["a", "b", "c"], async (item) => { await agent(item); order.push(item); });
      const ends = order[0] === "b" ? "middle first" : "as ever";
      return agent(ends);`;
    const { report } = await check(home, script, ["--orders", "12"]);
    expect(report.divergence?.other_order.order).toBe("random");
    const seed = String(report.divergence?.other_order.seed);
    const again = await check(home, script, ["--orders", "3", "--seed", seed]);
    expect(again.report.divergence).toEqual(report.divergence as Determinism["divergence"]);
  });

  test("says what it did not compare", async () => {
    await using home = await workflowHome();
    const endless = await check(home, 'for (;;) await agent("x")', ["--max-calls", "9"]);
    expect(endless.report).toMatchObject({ deterministic: true, calls_compared: 9 });
    expect(endless.report.notes[0]).toStartWith("only the first 9 calls were compared");
    const failing = await check(home, 'await agent("x"); throw new Error("no")');
    expect(failing.report.notes[0]).toContain("fails on stub answers");
    const refused = await home.pallium([
      "workflow",
      "check-determinism",
      "flow.js",
      "--orders",
      "1",
    ]);
    expect(refused.exitCode).toBe(2);
  });

  const wish = { task: "task", testCommand: "", maxRounds: 3 };
  const scripts = [
    ...TEMPLATES.map((template) => [template.name, templateScript(template, wish)] as const),
    ...PACKS.map(({ name }) => [name, packOf(name).script] as const),
    ...readdirSync(EXAMPLES).map(
      (file) => [file, readFileSync(join(EXAMPLES, file), "utf8")] as const,
    ),
  ];
  for (const [name, script] of scripts) {
    test(`finds our ${name} deterministic`, async () => {
      await using home = await workflowHome();
      const { report } = await check(home, script, ["--orders", "3"]);
      expect(report).toMatchObject({ deterministic: true, notes: [] });
      expect(report.calls_compared).toBeGreaterThan(0);
    });
  }
});
