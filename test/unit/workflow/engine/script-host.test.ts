import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { MESSAGE_LIMIT } from "../../../../src/workflow/engine/protocol.ts";
import { resultOf, tryProgram, tryScript } from "../../../support/script-host.ts";
import { tempDir } from "../../../support/temp.ts";

/** Runs a worker of a test's own in the place of ours. */
async function tryWorker(source: string, stallMs = 10_000) {
  await using dir = await tempDir();
  const entry = dir.join("worker.ts");
  await writeFile(entry, `declare const self: Worker;\n${source}\nexport {};\n`);
  return await tryProgram("", { entry, stallMs });
}

const PRELUDE = `
  const post = (message: unknown) => self.postMessage(JSON.stringify(message));
  const call = (id: unknown) => ({ type: "call", id, primitive: "agent", scope: "", phase: "", args: [] });`;

describe("a worker that breaks the protocol", () => {
  const BREAKS: [string, string][] = [
    [`self.postMessage({ type: "ready" })`, "script worker sent something that is not text"],
    [`self.postMessage("{")`, "script worker sent text that is not JSON"],
    ["post([])", "script worker sent a message that is no object"],
    [`post({ type: "exec" })`, "script worker sent a message of an unknown type"],
    [`post({ ...call(1), primitive: "spawn" })`, "script worker sent an unknown primitive"],
    ["post(call(0))", "script worker sent a bad call id"],
    [`post(call("1"))`, "script worker sent a bad call id"],
    ["post(call(1)); post(call(1))", "script worker sent a call id twice"],
    ["post(call(2)); post(call(1))", "script worker sent a call id twice"],
    [`post({ ...call(1), scope: "x".repeat(5000) })`, "script worker sent a bad scope"],
    [`post({ type: "log", text: "x".repeat(70_000) })`, "script worker sent a bad log line"],
    [`post({ type: "pong", nonce: 9 })`, "script worker answered a ping that was not sent"],
    [`post({ type: "echoed", nonce: 1 })`, "script worker sent an echo of nothing"],
    [`post({ type: "ready" }); post({ type: "ready" })`, "script worker was ready twice"],
    [
      `post({ type: "log", text: "x".repeat(17 * 1024 * 1024) })`,
      `script worker sent a message over ${MESSAGE_LIMIT} characters`,
    ],
  ];
  test.each(BREAKS)("%s", async (source, message) => {
    const { outcome } = await tryWorker(PRELUDE + source);
    expect(outcome).toMatchObject({ kind: "violation", message });
  });

  test("nothing it says after its end counts", async () => {
    const { outcome, logs } = await tryWorker(
      `${PRELUDE} post({ type: "returned", value: 1, notes: [] });
       post({ type: "log", text: "late" }); post(call(1)); post({ type: "failed" });`,
    );
    expect(outcome).toEqual({ kind: "returned", value: 1, notes: [], abandoned: [] });
    expect(logs).toEqual([]);
  });
});

describe("a worker that ends by itself", () => {
  test.each([
    [`throw new Error("no start")`, "no start"],
    ["process.exit(3)", "the worker ended"],
    [`import "./missing.ts"`, "missing.ts"],
  ])("%s is a crash", async (source, message) => {
    const { outcome } = await tryWorker(source);
    expect(outcome.kind).toBe("crashed");
    expect(outcome).toHaveProperty("message", expect.stringContaining(message));
  });
});

describe("a worker that does not answer", () => {
  test.each([
    "for (;;) {}",
    "const spin = (n) => spin(n + 1); spin(0)",
    "for (;;) await null",
    `/^(a+)+$/.test("a".repeat(40) + "b")`,
    "parallel([1], () => { for (;;) {} })",
    "return { get x() { for (;;) {} } }",
  ])("%s is stalled", async (script) => {
    const { outcome } = await tryScript(script, { stallMs: 200 });
    expect(outcome).toEqual({ kind: "stalled", abandoned: [] });
  });

  test("time in which this process stood still is not held against it", async () => {
    const { outcome } = await tryScript(`log("block"); await agent("x"); return "fine"`, {
      stallMs: 1000,
      onLog: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500),
    });
    expect(outcome).toMatchObject({ kind: "returned", value: "fine" });
  });

  test("waiting for a call longer than that is no stall", async () => {
    const script = `await agent("x"); return "fine"`;
    const answer = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 2000));
    expect(await resultOf(script, { answer, stallMs: 1000 })).toBe("fine");
  });
});

describe("abort", () => {
  test("ends a busy script at once and says what was at work", async () => {
    const controller = new AbortController();
    const { outcome } = await tryScript(`agent("x"); log("busy"); for (;;) {}`, {
      signal: controller.signal,
      answer: () => new Promise(() => {}),
      onLog: () => controller.abort(),
      stallMs: 60_000,
    });
    expect(outcome).toEqual({ kind: "aborted", abandoned: [1] });
  });

  test("before the start nothing is started", async () => {
    const { outcome } = await tryScript(`log("x")`, { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ kind: "aborted", abandoned: [] });
  });
});

describe("answers", () => {
  test("over the message limit reject that call", async () => {
    const script = `return await agent("x").catch((e) => e.code)`;
    const answer = () => "x".repeat(MESSAGE_LIMIT);
    expect(await resultOf(script, { answer })).toBe("message_too_large");
  });

  test("a handler that fails ends the worker and is thrown", async () => {
    const onLog = () => {
      throw new Error("disk full");
    };
    expect(tryScript(`log("x"); await agent("y")`, { onLog })).rejects.toThrow("disk full");
  });
});

describe("a call without an answer", () => {
  test("leaves its branch open while the others go on, then ends the script as a deadlock", async () => {
    const { outcome, calls } = await tryScript(
      `await Promise.all([
         agent("left").then(() => agent("never made")),
         agent("answered").then(() => agent("made")),
       ]);`,
      { answer: ({ args: [prompt = null] }) => (prompt === "left" ? undefined : prompt) },
    );
    expect(calls.map(({ args }) => args[0])).toEqual(["left", "answered", "made"]);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "deadlock" }, abandoned: [] });
  });
});
