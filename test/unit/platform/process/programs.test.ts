/** Programs that run: what the system says of real ones, and what tools of macOS print. */
import { describe, expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { programTable } from "../../../../src/platform/process/programs.ts";
import { terminalName } from "../../../../src/platform/process/programs-linux.ts";
import {
  elapsedSeconds,
  readOpenFiles,
  readPrograms,
} from "../../../../src/platform/process/programs-macos.ts";
import { reading } from "../../../support/reading.ts";
import { tempDir } from "../../../support/temp.ts";

test("a program is found by its arguments, whole and in UTF-8, with its start, parent and files", async () => {
  await using dir = await tempDir();
  const before = Date.now();
  const child = Bun.spawn(
    ["/bin/sh", "-c", 'exec 3>>"$1"; echo ready; read x; :', "-", dir.join("ä.txt")],
    {
      argv0: "a-name-of-more-than-15-bytes",
      cwd: dir.path,
      stdin: "pipe",
      stdout: "pipe",
    },
  );
  await reading(child.stdout).until("ready");
  const found = programTable.find(([name]) => name === "a-name-of-more-than-15-bytes");
  expect(found).toMatchObject([{ pid: child.pid, parent: process.pid, tty: "" }]);
  expect(found[0]?.argv.at(-1)).toBe(dir.join("ä.txt"));
  expect(Math.abs((found[0]?.startedMs ?? 0) - before)).toBeLessThan(2000);
  const files = programTable.openFiles([child.pid]).get(child.pid);
  expect(files?.cwd).toBe(realpathSync(dir.path));
  expect(files?.paths).toContain(dir.join("ä.txt"));
  child.stdin.end();
  expect(await child.exited).toBe(0);
  expect(programTable.find(([name]) => name === "a-name-of-more-than-15-bytes")).toEqual([]);
});

test.skipIf(process.platform !== "linux")("terminals have the names that ps gives them", () => {
  expect([0, 0x8803, 0x8901, 0x0401].map(terminalName)).toEqual(["", "pts/3", "pts/257", "tty1"]);
});

describe("on macOS", () => {
  test("elapsed times are those of the contract (etime row of the oracles)", () => {
    const times = ["01:02", "01:02:03", "2-03:04:05", "59", " 00:00"];
    expect(times.map(elapsedSeconds)).toEqual([62, 3723, 183_845, 59, 0]);
    expect(["", "now", "1:2:3:4", "ELAPSED"].map(elapsedSeconds)).toEqual(Array(4).fill(undefined));
  });

  test("two lists of ps make programs and their arguments, blanks in paths included", () => {
    const names = [
      "    1     0 ??       12-03:04:05 /sbin/launchd",
      "  501   400 ttys003        01:02 codex",
      "  777     1 ??          01:00:00 /Users/me/Library/Application Support/Claude/claude.app/Contents/MacOS/claude",
      "  888   501 ttys003           05 node",
      "  900     1 ??             00:09 (zsh)",
    ].join("\n");
    const commands = [
      "    1 /sbin/launchd",
      "  501 codex resume --last",
      "  777 /Users/me/Library/Application Support/Claude/claude.app/Contents/MacOS/claude -p --model x",
      "  888 claude",
    ].join("\n");
    const programs = readPrograms(names, commands, 1_000_000_000);
    expect(programs.map(({ pid, parent, tty, argv }) => [pid, parent, tty, ...argv])).toEqual([
      [1, 0, "", "/sbin/launchd"],
      [501, 400, "ttys003", "codex", "resume", "--last"],
      [
        777,
        1,
        "",
        "/Users/me/Library/Application Support/Claude/claude.app/Contents/MacOS/claude",
        "-p",
        "--model",
        "x",
      ],
      [888, 501, "ttys003", "claude"],
      [900, 1, "", "(zsh)"],
    ]);
    expect(programs[1]?.startedMs).toBe(1_000_000_000 - 62_000);
  });

  test("lsof says which files are open, and which folder a program is in", () => {
    const text = [
      "p501",
      "fcwd",
      "n/Users/me/repo",
      "ftxt",
      "n/opt/codex",
      "f12",
      "n/a b/r.jsonl",
      "f13",
    ];
    const more = ["n->0x1234", "f14", "n127.0.0.1:1->127.0.0.1:2", "p777", "fcwd", "n/", ""];
    const found = readOpenFiles([...text, ...more].join("\n"));
    expect([...found]).toEqual([
      [501, { cwd: "/Users/me/repo", paths: ["/opt/codex", "/a b/r.jsonl"] }],
      [777, { cwd: "/", paths: [] }],
    ]);
  });
});
