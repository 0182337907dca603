import { describe, expect, test } from "bun:test";
import { compileProgram } from "../support/compile.ts";
import { tempDir } from "../support/temp.ts";
import { attempt } from "./attempt.ts";
import { ESCAPES } from "./escapes.ts";

const PLAIN_WORKER = new URL("../support/plain-script-worker.ts", import.meta.url);

/** The script came to an end of its own, and not with what it was after. */
function expectConfined(outcome: unknown): void {
  expect(outcome).toHaveProperty("kind", expect.stringMatching(/^(returned|failed)$/));
  expect(outcome).not.toMatchObject({ value: "escaped" });
}

describe.each(ESCAPES)("$name", ({ body }) => {
  test("gets out of a plain worker", async () => {
    expect(await attempt(body, PLAIN_WORKER)).toMatchObject({ kind: "returned", value: "escaped" });
  });

  test("does not get out of ours", async () => {
    expectConfined(await attempt(body));
  });
});

test("none gets out of the compiled program", async () => {
  await using dir = await tempDir();
  const program = await compileProgram("test/sandbox/escape-program.ts", dir);
  const child = Bun.spawn([program], { cwd: dir.path, env: {}, stdin: "ignore" });
  const outcomes: Record<string, unknown> = JSON.parse(await child.stdout.text());
  expect(Object.keys(outcomes)).toEqual(ESCAPES.map(({ name }) => name));
  for (const outcome of Object.values(outcomes)) expectConfined(outcome);
}, 60_000);
