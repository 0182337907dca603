import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readCodexEvents } from "../../../src/providers/codex-events.ts";
import { testFolder } from "../../support/provider-fixtures.ts";

test("of what codex prints besides events the beginning is kept", async () => {
  using folder = testFolder();
  const lines = Array.from({ length: 300 }, (_, at) => `${at} ${"x".repeat(5000)}`);
  writeFileSync(folder.join("out"), lines.join("\n"));
  const { plainLines } = await readCodexEvents(folder.join("out"));
  expect(plainLines).toEqual(lines.slice(0, 200).map((line) => line.slice(0, 4096)));
});
