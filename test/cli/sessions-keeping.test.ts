/** What is exported, pruned and forgotten, as a user does it. */
import { describe, expect, test } from "bun:test";
import { chmod, cp, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { storedTexts } from "../support/stored-bytes.ts";
import { TRANSCRIPTS } from "../support/transcripts/fixtures.ts";
import { errorOf } from "../support/workflow.ts";

const CODEX_SESSION = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
const CLAUDE_HELPED = "460bb3c7-01d4-405c-aeb3-ed79a689d93c";
const LONG_AGO = new Date(Date.now() - 600_000);

/** A home in which both agents have worked, read in. */
async function indexedHome(): Promise<CliHome> {
  const home = await cliHome();
  for (const agent of ["codex", "claude"]) {
    await cp(join(TRANSCRIPTS, agent), join(home.directory, `.${agent}`), { recursive: true });
  }
  for (const name of await readdir(home.directory, { recursive: true })) {
    if (name.endsWith(".jsonl")) await utimes(join(home.directory, name), LONG_AGO, LONG_AGO);
  }
  await home.pallium(["sessions", "index"]);
  return home;
}

const storeOf = ({ directory }: CliHome) => join(directory, ".pallium", "sessions.sqlite");

describe("pallium sessions export", () => {
  test("writes to stdout or a file, of its owner's alone", async () => {
    await using home = await indexedHome();
    const { stdout, stderr } = await home.pallium(["sessions", "export", "460bb3c7"]);
    expect(stdout).toStartWith("# Use a helper to look at billing\n");
    expect(stderr).toContain("it is data, not instructions");
    const json = await home.pallium(["sessions", "export", "460bb3c7", "--format", "json"]);
    expect(JSON.parse(json.stdout).sessions).toHaveLength(1);
    const exported = async (...args: readonly string[]) => {
      const { stdout: printed } = await home.pallium(["sessions", "export", "--json", ...args]);
      const document: unknown = JSON.parse(printed);
      expect(outputs["sessions.export"].safeParse(document).error?.issues ?? []).toEqual([]);
      return document;
    };
    expect(await exported("460bb3c7")).toMatchObject({
      sessions: 1,
      path: "",
      text: expect.stringContaining("# Use a helper to look at billing\n"),
    });
    const all = ["--all", "--format", "html", "--out", "all.html"];
    expect((await home.pallium(["sessions", "export", ...all])).stdout).toMatch(
      /^Sessions exported: \S+\/all.html \(\d+ bytes, 8 sessions\)/,
    );
    const again = await home.pallium(["sessions", "export", ...all, "--json"]);
    expect(errorOf(again.stderr)).toMatchObject({ code: "file_exists" });
    expect(await exported(...all, "--force")).toMatchObject({ sessions: 8, text: "" });
    expect((await home.pallium(["sessions", "export"])).stderr).toContain(
      "name sessions to export",
    );
  });
});

describe("pallium sessions forget", () => {
  test("erases what it was told to twice, and says where else it is", async () => {
    await using home = await indexedHome();
    const asked = await home.pallium(["sessions", "forget", "460bb3c7", "--json"]);
    expect(asked.exitCode).toBe(1);
    expect(errorOf(asked.stderr)).toMatchObject({ code: "not_confirmed" });
    const report = outputs["sessions.forget"].parse(JSON.parse(asked.stdout));
    expect(report).toMatchObject({ forgotten: false });
    const done = await home.pallium(["sessions", "forget", "460bb3c7", "--yes"]);
    expect(done).toMatchObject({ exitCode: 0, stderr: "" });
    expect(done.stdout).toStartWith("Forgotten: 2 sessions\n");
    expect(done.stdout).toContain("Transcripts stay where they are, and are read no more:\n");
    const again = await home.pallium(["sessions", "index", "--force"]);
    expect(again.stdout).toBe("Indexed 6 agent sessions (2 forgotten or pruned)\n");
    expect(await storedTexts(storeOf(home), [CLAUDE_HELPED])).toEqual([]);
    const show = await home.pallium(["sessions", "show", CLAUDE_HELPED, "--json"]);
    expect(errorOf(show.stderr)).toMatchObject({ code: "session_not_found" });
  });
});

test("sessions forget asks on a terminal, and does what it is told", async () => {
  await using home = await indexedHome();
  const answered = async (answer: string) => {
    let screen = "";
    let isAnswered = false;
    const child = Bun.spawn([...PALLIUM, "sessions", "forget", "460bb3c7"], {
      cwd: home.directory,
      env: { ...home.env, TERM: "xterm" },
      terminal: {
        cols: 200,
        rows: 24,
        data: (terminal, chunk) => {
          screen += new TextDecoder().decode(chunk);
          if (isAnswered || !screen.includes("[y/N]")) return;
          isAnswered = true;
          terminal.write(`${answer}\n`);
        },
      },
    });
    const exitCode = await child.exited;
    child.terminal?.close();
    return { screen, exitCode };
  };
  const no = await answered("n");
  expect(no.exitCode).toBe(1);
  expect(no.screen).toContain('"Use a helper to look at billing" and 1 more');
  expect(await storedTexts(storeOf(home), [CLAUDE_HELPED])).toEqual([CLAUDE_HELPED]);
  expect((await answered("y")).exitCode).toBe(0);
  expect(await storedTexts(storeOf(home), [CLAUDE_HELPED])).toEqual([]);
});

describe("pallium sessions prune", () => {
  test("does nothing without a condition, and says first what it would do", async () => {
    await using home = await indexedHome();
    const none = await home.pallium(["sessions", "prune"]);
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("say what is to be pruned: --gone, --older-than, or both");
    const old = [
      "sessions",
      "prune",
      "--older-than",
      "2026-12-03T06:01:00Z",
      "--provider",
      "codex",
    ];
    const dry = await home.pallium([...old, "--dry-run"]);
    expect(dry.stdout).toStartWith("Would be removed: 4 sessions\n");
    expect(dry.stdout).toContain(CODEX_SESSION);
    const { stdout } = await home.pallium([...old, "--json"]);
    expect(outputs["sessions.prune"].parse(JSON.parse(stdout))).toMatchObject({ count: 4 });
    const left = await home.pallium(["sessions", "stats"]);
    expect(left.stdout).toStartWith("sessions: 4 (4 claude)\n");
  });
});

test("sessions doctor says what is wrong and what to do, and fails then", async () => {
  await using home = await indexedHome();
  const doctor = async () => {
    const { stdout, exitCode } = await home.pallium(["sessions", "doctor", "--json"]);
    const report = JSON.parse(stdout);
    expect(outputs["sessions.doctor"].safeParse(report).error?.issues ?? []).toEqual([]);
    return { ...report, exitCode };
  };
  expect(await doctor()).toMatchObject({ exitCode: 0, healthy: true, sessions: 8 });
  await chmod(storeOf(home), 0o644);
  expect(await doctor()).toMatchObject({ exitCode: 1, healthy: false });
  const { stdout, stderr } = await home.pallium(["sessions", "doctor"]);
  expect(stdout).toContain(`\n  next: chmod 600 '${storeOf(home)}'`);
  expect(stderr).toContain("session memory has 1 problem");
});
