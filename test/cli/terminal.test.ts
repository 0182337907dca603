import { expect, test } from "bun:test";
import { join } from "node:path";
import { PALLIUM } from "../support/cli.ts";
import { onTerminal, plain } from "../support/terminal.ts";

const MESSAGES = [
  process.execPath,
  "--config=/dev/null",
  join(import.meta.dir, "../fixtures/cli/messages.ts"),
];

test("a terminal gets badges and colours, in order, and none of what would command it", async () => {
  const screen = await onTerminal([...MESSAGES, "talk"]);
  expect(screen).toContain("\u001b[");
  const text = plain(screen);
  expect(text).toContain("working on `it`\n");
  expect(text).toContain("WARN");
  const words = ["working", "mind the gap", "all is well", "done\\x1b[2J", "the answer"];
  const places = words.map((word) => text.indexOf(word));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});

test.each([
  [[], { NO_COLOR: "1" }],
  [["--no-color"], {}],
  [[], { TERM: "dumb" }],
])("a terminal gets plain lines with %p %p", async (flags, env) => {
  const screen = await onTerminal([...MESSAGES, "talk", ...flags], { env });
  expect(screen).toBe(
    "working on `it`\nwarning: mind the gap\nall is well\ndone\\x1b[2J\nthe answer\n",
  );
});

test("errors are red on a terminal", async () => {
  expect(await onTerminal([...PALLIUM, "vrsion"])).toContain(
    "\u001b[31merror:\u001b[39m unknown command",
  );
  expect(await onTerminal([...PALLIUM, "vrsion"], { env: { NO_COLOR: "1" } })).not.toContain(
    "\u001b",
  );
});

test("help keeps to the width of the terminal", async () => {
  const lines = (await onTerminal([...PALLIUM, "help"], { columns: 50 })).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
  expect(lines.length).toBeGreaterThan(10);
});
