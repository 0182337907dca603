import { describe, expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import type { CallMessage } from "../../../../src/workflow/engine/protocol.ts";
import { failureOf, resultOf, tryScript } from "../../../support/script-host.ts";

function failing({ args: [prompt] }: CallMessage) {
  if (prompt === "bad") throw new PalliumError("agent_failed", "it failed");
  if (prompt === "fatal") throw new PalliumError("over_budget", "no money left", { fatal: true });
  return prompt ?? null;
}

describe("parallel()", () => {
  test("calls back for every item in order, waits for all, keeps the order", async () => {
    const { outcome, calls } = await tryScript(
      `const started = [];
       const results = await parallel(["a", "b", "c"], async (item, index) => {
         started.push(index);
         await null;
         return await agent(item + index);
       });
       return [started, results]`,
      { answer: async ({ id, args }) => `${args[0]}!${id}` },
    );
    expect(outcome).toMatchObject({
      value: [
        [0, 1, 2],
        ["a0!1", "b1!2", "c2!3"],
      ],
    });
    expect(calls).toHaveLength(3);
  });

  test("all calls are open at the same time", async () => {
    const open: (() => void)[] = [];
    const answer = () =>
      new Promise<null>((resolve) => {
        open.push(() => resolve(null));
        if (open.length === 40) for (const release of open) release();
      });
    const script = `return (await parallel(Array.from({ length: 40 }, () => () => agent("x")))).length`;
    expect(await resultOf(script, { answer })).toBe(40);
  });

  test("without a callback functions are called and the rest passes through", async () => {
    expect(
      await resultOf(`return await parallel([() => 1, 2, agent("x"), "s", async () => 3])`),
    ).toEqual([1, 2, "x", "s", 3]);
  });

  test("takes other iterables, and holes as undefined", async () => {
    expect(
      await resultOf(
        `const holes = []; holes[2] = "c";
         function* some() { yield 1; yield 2 }
         return [
           await parallel(holes, (item) => typeof item),
           await parallel(new Set(["x"]), (item) => item),
           await parallel(new Map([["k", 1]]).values(), (item) => item),
           await parallel(some(), (item) => item),
           await parallel([]),
         ]`,
      ),
    ).toEqual([["undefined", "undefined", "string"], ["x"], [1], [1, 2], []]);
  });

  test("refuses what it cannot map", async () => {
    const message = async (call: string) => (await failureOf(`await ${call}`)).message;
    const notIterable = "parallel items must be an array or another iterable object";
    expect(await message("parallel({}, (x) => x)")).toBe(`TypeError: ${notIterable}`);
    expect(await message("parallel(null)")).toBe(`TypeError: ${notIterable}`);
    expect(await message(`parallel("text", (x) => x)`)).toBe(`TypeError: ${notIterable}`);
    expect(await message("parallel([1], 5)")).toBe(
      "TypeError: parallel callback must be a function",
    );
    const endless = "function* g() { for (;;) yield 1 }; await parallel(g())";
    expect((await failureOf(endless)).message).toContain(
      "parallel item limit exceeded: 4097 > 4096",
    );
    expect(await message("parallel(Array(5000).fill(1))")).toContain(
      "parallel item limit exceeded: 5000 > 4096",
    );
  });

  test("a failed item becomes null and is reported, its siblings go on", async () => {
    const { outcome, drops } = await tryScript(
      `phase("judge");
       return await parallel(["ok", "bad", "throw"], async (item) => {
         if (item === "throw") throw new Error("boom");
         return await agent(item);
       })`,
      { answer: failing },
    );
    expect(outcome).toMatchObject({ value: ["ok", null, null] });
    expect(drops).toHaveLength(2);
    expect(drops).toContainEqual({
      type: "drop",
      label: "parallel item 1",
      phase: "judge",
      error: {
        name: "PalliumError",
        code: "agent_failed",
        message: "it failed",
        call: 2,
        line: 4,
        column: 28,
      },
    });
    expect(drops).toContainEqual({
      type: "drop",
      label: "parallel item 2",
      phase: "judge",
      error: { name: "Error", code: "script_error", message: "Error: boom", line: 3, column: 38 },
    });
  });

  test("a failure that the item catches is no drop", async () => {
    const { outcome, drops } = await tryScript(
      `return await parallel(["bad"], (item) => agent(item).catch((e) => e.code))`,
      { answer: failing },
    );
    expect(outcome).toMatchObject({ value: ["agent_failed"] });
    expect(drops).toEqual([]);
  });

  test("a fatal error fails it once all siblings have settled", async () => {
    let siblingDone = false;
    const answer = async (call: CallMessage) => {
      if (call.args[0] !== "slow") return failing(call);
      await new Promise((resolve) => setImmediate(resolve));
      siblingDone = true;
      return "done";
    };
    const { outcome, drops } = await tryScript(
      `await parallel(["fatal", "slow", "bad"], (item) => agent(item))`,
      { answer },
    );
    expect(siblingDone).toBe(true);
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { code: "over_budget", message: "no money left", fatal: true, call: 1 },
    });
    expect(drops.map(({ label }) => label)).toEqual(["parallel item 2"]);
  });

  test("an error that only says it is fatal is a drop like others", async () => {
    const { outcome } = await tryScript(
      `return await parallel([1], () => { throw Object.assign(new Error("budget exhausted"), { fatal: true, code: "over_budget" }) })`,
    );
    expect(outcome).toMatchObject({ kind: "returned", value: [null] });
  });

  test("64 drops are 64 drops", async () => {
    const { drops } = await tryScript(
      "await parallel(Array.from({ length: 64 }, () => () => { throw 1 }))",
    );
    expect(new Set(drops.map(({ label }) => label)).size).toBe(64);
  });
});

describe("pipeline()", () => {
  test("hands each stage the previous result, the item and its index", async () => {
    const { outcome, calls } = await tryScript(
      `return await pipeline(["alpha", "beta"],
         (previous, item) => previous === item && item.toUpperCase(),
         (previous, item, index) => agent(\`verify \${previous} from \${item} #\${index}\`))`,
    );
    const prompts = ["verify ALPHA from alpha #0", "verify BETA from beta #1"];
    expect(outcome).toMatchObject({ value: prompts });
    expect(calls.map(({ args }) => args[0] ?? null)).toEqual(prompts);
  });

  test("items advance independently", async () => {
    const second = Promise.withResolvers<null>();
    const script = `return await pipeline(["slow", "fast"], (item) => agent(item), (_, item) => agent(item + " 2"))`;
    const answer = async ({ args: [prompt] }: CallMessage) => {
      if (prompt === "fast 2") second.resolve(null);
      if (prompt === "slow") await second.promise;
      return prompt ?? null;
    };
    expect(await resultOf(script, { answer })).toEqual(["slow 2", "fast 2"]);
  });

  test("a failed item skips its later stages and is reported", async () => {
    const { outcome, calls, drops } = await tryScript(
      `return await pipeline(["a", "b", "c"],
         async (item, _, index) => { await null; if (index === 1) throw new Error("stage rejected this item"); return item },
         (item) => agent(item))`,
    );
    expect(outcome).toMatchObject({ value: ["a", null, "c"] });
    expect(calls).toHaveLength(2);
    expect(drops).toMatchObject([
      { label: "pipeline stage 0 item 1", error: { message: "Error: stage rejected this item" } },
    ]);
  });

  test("without stages it returns the items", async () => {
    expect(await resultOf("return await pipeline(new Set([1, 2]))")).toEqual([1, 2]);
  });

  test("a fatal error fails it and starts no further stage", async () => {
    const { outcome, calls } = await tryScript(
      `await pipeline(["fatal", "x"], (item) => agent(item), async (item) => { await agent(item); return agent("late") })`,
      { answer: failing },
    );
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "over_budget" } });
    expect(calls.map(({ args }) => args[0] ?? null)).not.toContain("late");
  });

  test("refuses what it cannot run", async () => {
    const message = async (call: string) => (await failureOf(`await ${call}`)).message;
    expect(await message("pipeline([1], 5)")).toContain("pipeline stages must be functions");
    expect(await message("pipeline(Array(4097).fill(0))")).toContain(
      "pipeline item limit exceeded: 4097 > 4096",
    );
    expect(await message("pipeline({}, (x) => x)")).toContain("pipeline items must be");
  });
});
