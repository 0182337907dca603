import { describe, expect, test } from "bun:test";
import { testCommand, testProgram, testRoot } from "../../support/cli-program.ts";

const RUN = testCommand({
  summary: "Run it.",
  positionals: "<task>",
  args: {
    limit: {
      type: "string",
      description: "How many of them there may be.",
      default: "5",
      valueHint: "n",
    },
    tag: { type: "string", description: "A tag.", multiple: true, required: true },
    style: { type: "enum", options: ["auto", "plain"], description: "How it looks." },
    cache: { type: "boolean", description: "Keep answers.", default: true, alias: "c" },
  },
  operation: "run",
  examples: ["pallium things run x"],
});
const WORDY = testCommand({ summary: "word ".repeat(100).trim() });
const ROOT = testRoot({ echo: testCommand(), wordy: WORDY }, { run: RUN });

async function help(argv: readonly string[], columns?: number) {
  const { stdout, stderr, exitCode } = await testProgram(
    argv,
    columns === undefined ? {} : { columns },
  ).run(ROOT);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

describe("help for a person", () => {
  test("of a command lists flags with values, defaults and opposites", async () => {
    expect(await help(["things", "run", "--help"])).toBe(`Run it.

Usage:
  pallium things run <task> [flags]

Flags:
  --limit <n>              How many of them there may be. (default: 5)
  --tag <tag>              A tag. (may be repeated, required)
  --style <auto|plain>     How it looks.
  --cache, -c, --no-cache  Keep answers. (default: true)

Flags of every command:
  --json      Print one JSON document on stdout; errors as JSON on stderr
  --quiet     Show no progress
  --verbose   Show where an error came from
  --no-color  Use no colours, as the variable NO_COLOR does
  --help, -h  Show help for the command

Examples:
  pallium things run x
`);
  });

  test("is the same however it is asked for", async () => {
    const group = await help(["things"]);
    for (const argv of [
      ["things", "help"],
      ["things", "-h"],
      ["-h", "things"],
      ["things", "lst", "help"],
    ]) {
      expect(await help(argv)).toBe(group);
    }
    expect(await help(["things", "help", "run"])).toBe(await help(["things", "run", "-h"]));
    expect(await help([])).toBe(await help(["--help"]));
  });

  test("is never wider than reads well", async () => {
    const lines = (await help(["wordy", "--help"], 500)).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBe(99);
  });

  test("keeps to the width of the terminal", async () => {
    const longest = async (columns?: number) =>
      Math.max(
        ...(await help(["things", "run", "--help"], columns))
          .split("\n")
          .map((line) => line.length),
      );
    expect(await longest(50)).toBeLessThanOrEqual(50);
    expect(await longest(1)).toBeLessThanOrEqual(46);
    expect(await longest()).toBeLessThanOrEqual(80);
  });
});

test("help for agents describes every command with its flags and its output", async () => {
  const document = JSON.parse(await help(["--help", "--json"]));
  expect(document).toMatchObject({ name: "pallium", version: "1.2.3" });
  expect(document.global_flags.map(({ name }: { name: string }) => name)).toEqual([
    "json",
    "quiet",
    "verbose",
    "no-color",
    "help",
  ]);
  expect(document.commands).toEqual([
    { name: "echo", summary: "Answer with the positionals.", positionals: "[word...]", flags: [] },
    expect.objectContaining({ name: "wordy" }),
    {
      name: "things run",
      summary: "Run it.",
      positionals: "<task>",
      flags: [
        {
          name: "limit",
          type: "string",
          description: "How many of them there may be.",
          default: "5",
        },
        { name: "tag", type: "string", description: "A tag.", required: true, multiple: true },
        { name: "style", type: "enum", description: "How it looks.", options: ["auto", "plain"] },
        {
          name: "cache",
          type: "boolean",
          description: "Keep answers.",
          aliases: ["c"],
          default: true,
        },
      ],
      output: { title: "run" },
    },
  ]);
  expect(JSON.parse(await help(["things", "--help", "--json"])).commands).toHaveLength(1);
});
