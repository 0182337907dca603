import { describe, expect, test } from "bun:test";
import type { CallMessage } from "../../src/workflow/engine/protocol.ts";
import { type TrialOptions, tryProgram } from "../support/script-host.ts";
import { ESCAPES } from "./escapes.ts";

const PLAIN_WORKER = new URL("../support/plain-script-worker.ts", import.meta.url);

function answer({ args: [value] }: CallMessage) {
  if (value === "fail") throw new Error("the host says no");
  return value ?? null;
}

async function attempt(body: string, options: TrialOptions = {}) {
  const program = `(async function () {${body}\n})\n//# sourceURL=escape.js`;
  const { outcome } = await tryProgram(program, { args: { list: [] }, answer, ...options });
  return outcome;
}

describe.each(ESCAPES)("$name", ({ body }) => {
  test("gets out of a plain worker", async () => {
    expect(await attempt(body, { entry: PLAIN_WORKER })).toMatchObject({
      kind: "returned",
      value: "escaped",
    });
  });

  test("does not get out of ours", async () => {
    const outcome = await attempt(body);
    expect(["returned", "failed"]).toContain(outcome.kind);
    expect(outcome).not.toMatchObject({ value: "escaped" });
  });
});
