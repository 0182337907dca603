/** What was recalled is printed, whatever it holds, and no terminal obeys it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { onTerminal, plain } from "../support/terminal.ts";

const ESC = "\u001b[2J";
const ID = `odd-${ESC}id`;
const FORGED = "/x/a\n2026-12-01T10:00:00.000Z  forged  A session that never was";

const content: readonly (readonly [string, unknown])[] = [
  ["user", `Look at needle ${ESC}\u009b2J`],
  [
    "assistant",
    [{ type: "tool_use", id: "t", name: `Ba${ESC}sh`, input: { command: `needle ${ESC}` } }],
  ],
  ["user", [{ type: "tool_result", tool_use_id: "t", is_error: true, content: `error: ${ESC}` }]],
  ["assistant", [{ type: "tool_use", id: "e", name: "Edit", input: { file_path: FORGED } }]],
];

let home: CliHome;

beforeAll(async () => {
  home = await cliHome();
  const records = content.map(([role, said], at) => ({
    type: role,
    sessionId: ID,
    uuid: `u${at}`,
    cwd: FORGED,
    gitBranch: `main\n${ESC}`,
    timestamp: `2026-12-01T10:00:0${at}.000Z`,
    message: { role, content: said },
  }));
  const path = join(home.directory, ".claude/projects/p/odd.jsonl");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  await utimes(path, new Date("2026-12-01"), new Date("2026-12-01"));
  expect(await home.pallium(["sessions", "index"])).toMatchObject({ exitCode: 0 });
});

afterAll(() => home[Symbol.asyncDispose]());

test.each<string[]>([
  ["list"],
  ["search", "needle"],
  ["grep", "needle", "--context", "2"],
  ["show", "odd"],
  ["show", "odd", "--transcript"],
  ["forget", "odd"],
])(
  "sessions %s %s prints no escape of a transcript, to a terminal or a program",
  async (...args) => {
    const words = ["sessions", ...args];
    const refusing = (screen: string, type: (keys: string) => void) => {
      if (screen.endsWith("[y/N] ")) type("n\n");
    };
    const screen = plain(
      await onTerminal([...PALLIUM, ...words], { env: home.env, onData: refusing }),
    );
    const { stdout, stderr } = await home.pallium(words);
    for (const printed of [screen, stdout + stderr]) {
      expect(printed).toContain("odd-");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
      expect(printed).not.toMatch(/[\u001b\u0080-\u009f]/);
    }
  },
);

test.each<string[]>([["list"], ["search", "needle"], ["show", "odd"]])(
  "sessions %s keeps a name with line ends on its line",
  async (...args) => {
    const { stdout } = await home.pallium(["sessions", ...args]);
    expect(stdout).toContain("forged");
    expect(stdout).not.toMatch(/^2026-12-01T10:00:00.000Z {2}forged/m);
  },
);
