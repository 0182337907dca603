import { describe, expect, test } from "bun:test";
import { failureOf, resultOf, tryScript } from "../../../support/script-host.ts";

describe("agent() and check()", () => {
  test("send their arguments as they are and resolve with the host's answer", async () => {
    const { outcome, calls } = await tryScript(
      `const text = await agent("one", { label: "l", schema: { b: 1, a: [2] } });
       return [text, await check("make"), await check()]`,
      { answer: ({ primitive, args }) => ({ primitive, count: args.length }) },
    );
    expect(outcome).toMatchObject({
      value: [
        { primitive: "agent", count: 2 },
        { primitive: "check", count: 1 },
        { primitive: "check", count: 0 },
      ],
    });
    expect(JSON.stringify(calls[0]?.args)).toBe(`["one",{"label":"l","schema":{"b":1,"a":[2]}}]`);
    expect(calls.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("an argument that is no data rejects that call only", async () => {
    const { outcome, calls } = await tryScript(
      `const failed = await agent("x", { label: () => 1 }).catch((e) => [e instanceof Error, e.code, e.message]);
       return [failed, await agent("next")]`,
    );
    expect(outcome).toMatchObject({
      value: [[true, "argument_not_data", "agent options.label is a function"], "next"],
    });
    expect(calls).toHaveLength(1);
  });

  test("calls at the end of the stack fail or are made, and none waits for nothing", async () => {
    const error = await failureOf(`
      const calls = [];
      const deeper = () => { try { return 1 + deeper() } finally { if (calls.length < 300) calls.push(agent("x")) } };
      try { deeper() } catch {}
      const ends = await Promise.allSettled(calls);
      if (ends.every(({ status }) => status === "rejected")) throw new Error("no call was made");
      await new Promise(() => {})`);
    expect(error.code).toBe("deadlock");
  });

  test("arguments over the message limit reject that call only", async () => {
    expect(
      await resultOf(`return await agent("x".repeat(17 * 1024 * 1024)).catch((e) => e.code)`),
    ).toBe("message_too_large");
  });
});

describe("args, log and budget", () => {
  test("args is the data as it was sent, frozen", async () => {
    const args = { z: 1, a: { list: [1] } };
    const script = `const tries = [() => { args.z = 2 }, () => { args.a.list.push(2) }];
      const refused = tries.filter((f) => { try { f(); return false } catch { return true } });
      return [JSON.stringify(args), refused.length]`;
    expect(await resultOf(script, { args })).toEqual([JSON.stringify(args), 2]);
    expect(await resultOf("return args === null")).toBe(true);
  });

  test("log writes strings as they are and the rest as JSON", async () => {
    const { logs } = await tryScript(
      `log("a b", { x: [1] }, 2, undefined, null);
       log(new Map(), () => 1, 10n); log()`,
    );
    expect(logs).toEqual([
      `a b {"x":[1]} 2 undefined null`,
      "[not shown: $ is a Map (use Object.fromEntries or an array)] [function] 10",
      "",
    ]);
  });

  test("a long log line is cut with a mark", async () => {
    const { logs } = await tryScript(`log("x".repeat(100_000))`);
    expect(logs[0]).toBe(`${"x".repeat(65_536)}… (cut, 100000 characters)`);
  });

  test("budget is that of the host's latest message", async () => {
    let spent = 0.1;
    const read = "[budget.total, budget.spent(), budget.remaining()]";
    const script = `const before = ${read}; await agent("x"); return [before, ${read}]`;
    const answer = () => {
      spent = 0.75;
      return null;
    };
    expect(
      await resultOf(script, { answer, budget: () => ({ total: 0.3 + spent, spent }) }),
    ).toEqual([
      [0.4, 0.1, 0.3],
      [1.05, 0.75, 0.3],
    ]);
    const unlimited = "return [budget.total, budget.spent(), budget.remaining()]";
    expect(await resultOf(unlimited)).toEqual([null, 0, null]);
  });
});

describe("pallium.*", () => {
  test("hands its arguments to the host, whatever stands beside it", async () => {
    const source = `const { verify, task, decisions } = pallium;
      const answers = await Promise.all([
        verify("fast", { keepGoing: true }),
        pallium.preflight("t", undefined, ["a", "b"]),
        task.start("goal"),
        pallium.changedNow(undefined),
      ]);
      return [answers, typeof decisions.record, Object.isFrozen(pallium.task)];`;
    const { outcome, calls } = await tryScript(source, { answer: ({ primitive }) => primitive });
    expect(calls.map(({ primitive, args }) => [primitive, args])).toEqual([
      ["pallium.verify", ["fast", { keepGoing: true }]],
      ["pallium.preflight", ["t", ["a", "b"]]],
      ["pallium.task.start", ["goal"]],
      ["pallium.changedNow", []],
    ]);
    const names = [
      "pallium.verify",
      "pallium.preflight",
      "pallium.task.start",
      "pallium.changedNow",
    ];
    expect(outcome).toMatchObject({ kind: "returned", value: [names, "function", true] });
  });

  test("takes data only", async () => {
    const error = await failureOf("await pallium.explain(() => 1)");
    expect(error).toMatchObject({ code: "argument_not_data", line: 1 });
    expect(error.message).toContain("pallium.explain argument 1");
  });
});

describe("what is still to come", () => {
  const NAMES = ["team.create", "team.member.steer", "team.tasks.complete"];
  test.each(NAMES)("%s says that it is not in this version", async (name) => {
    const error = await failureOf(`await ${name}("x")`);
    expect(error).toMatchObject({
      name: "PalliumError",
      code: "not_in_this_version",
      message: `${name} is not in this version`,
      line: 1,
    });
  });
});

describe("errors of the host", () => {
  test("are Error objects of this realm with name, code and message", async () => {
    const answer = () => {
      throw Object.assign(new TypeError("gone"), { code: "ignored" });
    };
    const script = `return await agent("x").catch((e) =>
      [e instanceof Error, e.name, e.code, e.message, String(e), e.stack])`;
    expect(await resultOf(script, { answer })).toEqual([
      true,
      "TypeError",
      "internal_error",
      "gone",
      "TypeError: gone",
      "",
    ]);
  });
});
