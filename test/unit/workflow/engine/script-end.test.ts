import { describe, expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import { failureOf, outcomeInProcess, resultOf, tryScript } from "../../../support/script-host.ts";

describe("the result of a script", () => {
  test("text, nothing and data come as they are", async () => {
    expect(await resultOf(`return "done"`)).toBe("done");
    expect(await resultOf("return undefined")).toBeUndefined();
    expect(await resultOf("const x = 1")).toBeUndefined();
    expect(await resultOf("return null")).toBeNull();
    expect(await resultOf("return new Date(0).toISOString()")).toBe("1970-01-01T00:00:00.000Z");
    expect(await resultOf(`return agent("x")`)).toBe("x");
  });

  test("what JSON cannot say is said in notes", async () => {
    const { outcome } = await tryScript(
      "return { a: undefined, b: NaN, c: new Date(0), d: new Error('x') }",
    );
    expect(outcome).toEqual({
      kind: "returned",
      value: {
        a: null,
        b: null,
        c: "1970-01-01T00:00:00.000Z",
        d: { name: "Error", message: "x" },
      },
      notes: ["$.b is NaN and became null"],
      abandoned: [],
    });
  });

  test("notes about deep places are cut, not a breach of the protocol", async () => {
    const { outcome } = await tryScript(
      `let value = NaN; for (let i = 0; i < 400; i += 1) value = { ["k".repeat(90)]: value }; return value`,
    );
    expect(outcome).toMatchObject({
      kind: "returned",
      notes: [expect.stringMatching(/^.{1000}…$/)],
    });
  });

  test("what is no data fails with its path", async () => {
    const error = await failureOf("return { a: [1, 2, () => 1] }");
    expect(error).toMatchObject({ code: "result_not_data" });
    expect(error.message).toEndWith("$.a[2] is a function");
    expect((await failureOf("return parallel")).message).toEndWith("$ is a function");
    expect((await failureOf(`return [agent("x")]`)).message).toContain("$[0] is a promise");
  });

  test("what is over the message limit fails, also when JSON text grows in escaping", async () => {
    const big = `return "x".repeat(17 * 1024 * 1024)`;
    const grown = String.raw`return "\u0001".repeat(4 * 1024 * 1024)`;
    for (const script of [big, grown]) {
      expect(await failureOf(script)).toMatchObject({ code: "message_too_large" });
    }
  });

  test("calls that nobody waits for are reported as abandoned", async () => {
    const { outcome } = await tryScript(`agent("a"); agent("b"); await agent("c"); return 1`, {
      answer: ({ args: [prompt] }) => (prompt === "c" ? null : new Promise(() => {})),
    });
    expect(outcome).toMatchObject({ kind: "returned", value: 1, abandoned: [1, 2] });
  });
});

describe("errors of a script", () => {
  test("have their string form and their place", async () => {
    expect(await failureOf(`// comment\n  throw new Error("boom")`)).toMatchObject({
      name: "Error",
      code: "script_error",
      message: "Error: boom",
      line: 2,
      column: 9,
    });
    expect(await failureOf(`throw new TypeError("x")`)).toMatchObject({ line: 1, column: 7 });
    expect(await failureOf(`throw "raw text"`)).toEqual({
      name: "Error",
      code: "script_error",
      message: "raw text",
    });
  });

  test("are placed by the frames of the script, wherever its file is", async () => {
    const script = `const parse = (text) => JSON.parse(text);\nconst value = parse("{");\nreturn value`;
    for (const fileName of ["/a b/(c)/script.js", "x.ts", "../up.js", "ünï.js"]) {
      const failure = await failureOf(script, { fileName });
      expect(failure).toMatchObject({ name: "SyntaxError", line: 2 });
    }
  });

  test("are placed although functions they came through are collected as garbage meanwhile", async () => {
    const script = `let thrown;
      try { (() => { const value = JSON.parse("{"); return value })() } catch (error) { thrown = error }
      for (let i = 0; i < 400; i += 1) ("x" + i).repeat(1e6).toUpperCase();
      await agent("x");
      throw thrown;`;
    expect(await failureOf(script)).toMatchObject({ name: "SyntaxError", line: 2 });
  });

  test("of host calls keep what the host said, and the place of the call", async () => {
    const answer = () => {
      throw new PalliumError("agent_failed", "codex exited with 7", { fatal: true });
    };
    expect(await failureOf(`const x = 1;\nawait agent("x");`, { answer })).toEqual({
      name: "PalliumError",
      code: "agent_failed",
      message: "codex exited with 7",
      fatal: true,
      call: 1,
      line: 2,
      column: 12,
    });
  });

  test("wrapped by the script are errors of the script", async () => {
    const answer = () => {
      throw new PalliumError("over_budget", "workflow budget exhausted", { fatal: true });
    };
    const script = `try { await agent("x") } catch (e) { throw new Error("wrapped: " + e.message) }`;
    const error = await failureOf(script, { answer });
    expect(error).toMatchObject({
      code: "script_error",
      message: "Error: wrapped: workflow budget exhausted",
    });
    expect(error).not.toContainAnyKeys(["fatal", "call"]);
  });

  const HOSTILE = [
    "throw { toString() { throw 1 } }",
    "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
    "throw Object.create(null)",
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 1 } })",
    "throw Object.defineProperty(new Error('x'), 'name', { get() { throw 1 } })",
    "throw Symbol('s')",
    "throw Object.assign(new Error('x'), { name: 'n'.repeat(1e6) })",
    "throw 'x'.repeat(3e7)",
    "throw undefined",
    "throw () => {}",
  ];
  test.each(HOSTILE)("%s is a failure like others", async (script) => {
    expect(await failureOf(script)).toMatchObject({ code: "script_error" });
  });
});

describe("promises that nobody can settle", () => {
  const DEADLOCKS = [
    "await new Promise(() => {})",
    `await agent("x"); await new Promise(() => {})`,
    "await parallel([1, 2], () => new Promise(() => {}))",
    "await pipeline([1], () => new Promise(() => {}))",
    "let again; const loop = async () => { await null; await again }; again = loop(); await again",
    "return { then() {} }",
  ];
  test.each(DEADLOCKS)("%s is a deadlock, at once", async (script) => {
    const error = await failureOf(script, { stallMs: 60_000 });
    expect(error.code).toBe("deadlock");
    expect(error.message).toContain("unresolved (pending) promise");
    expect(error.message).toContain("await what calls return");
  });

  test("long chains of reactions and slow answers are none", async () => {
    const script = `for (let i = 0; i < 50_000; i += 1) await null; return await agent("x")`;
    const answer = () => new Promise<number>((resolve) => setImmediate(() => resolve(1)));
    expect(await resultOf(script, { answer })).toBe(1);
  });
});

describe("rejections that nobody handles", () => {
  test("do not end the worker, and are noted", async () => {
    const outcome = await outcomeInProcess(`
      Promise.reject(new Error("lost"));
      const late = Promise.reject(new Error("handled late"));
      agent("failing").then(() => {});
      await agent("x");
      await late.catch(() => {});
      return 1`);
    expect(outcome).toEqual({
      kind: "returned",
      value: 1,
      notes: ["nothing handled a rejected promise: Error: lost"],
      abandoned: [],
    });
  });
});
