/** What the Go program's own tests say of the command line of session memory, and where its databases are. */
import { expect, test } from "bun:test";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRegistry } from "../../src/cli/registry.ts";
import { cliHome } from "../support/cli.ts";
import { testProgram } from "../support/cli-program.ts";
import { writeGoSessions } from "../support/go-sessions.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";
import { errorOf } from "../support/workflow.ts";

/** A command line of a program without services: whatever works on a store fails. */
async function spoken(...words: readonly string[]) {
  const { program, run } = testProgram(["sessions", ...words]);
  return run(createRegistry(program));
}

test("oracle 17 of sessions: help is printed, and nothing is done", async () => {
  for (const words of [
    ["index", "--help"],
    ["embed", "--help"],
    ["stats", "--help"],
    ["search", "help"],
    ["search", "-h"],
    ["grep", "help"],
  ]) {
    const { stdout, exitCode } = await spoken(...words);
    expect({ words, exitCode }).toEqual({ words, exitCode: 0 });
    expect(stdout).toContain(`pallium sessions ${words[0]}`);
  }
});

test("oracle 19 of sessions: flags that are none, and files without --include, are errors", async () => {
  expect((await spoken("index", "--bogus")).stderr).toContain("flag provided but not defined");
  const { stderr, exitCode } = await spoken("index", "/tmp/sessions");
  expect(stderr).toContain("use --include");
  expect(exitCode).toBe(2);
});

test("oracles 18 and 20 of sessions: a question may hold the word help, and a home may be empty", async () => {
  await using home = await cliHome();
  await mkdir(join(home.directory, "codex", "sessions"), { recursive: true });
  const flags = ["--provider", "codex", "--codex-home", "codex", "--db", "s.sqlite", "--force"];
  const indexed = await home.pallium(["sessions", "index", ...flags]);
  expect(indexed.stdout).toContain("Indexed 0");
  const found = await home.pallium([
    "sessions",
    "search",
    "help",
    "with",
    "auth",
    "--db",
    "s.sqlite",
  ]);
  expect(found).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("No sessions found"),
  });
});

test("oracle 21 of sessions: flags may stand behind words", async () => {
  await using home = await cliHome();
  const folder = join(home.directory, "transcripts");
  await mkdir(folder);
  for (const id of ["a", "b", "c", "d"]) {
    const text = claudeTranscript({ id, cwd: "/gone", steps: [{ user: `the repo of ${id}` }] });
    await Bun.write(join(folder, `${id}.jsonl`), text);
  }
  await home.pallium(["sessions", "index", "--include", folder, "--force"]);
  const found = await home.pallium(["sessions", "search", "repo", "--limit", "3", "--json"]);
  expect(JSON.parse(found.stdout)).toHaveLength(3);
});

test("sessions of the Go program are found in both of its places, and its files stay as they are", async () => {
  await using home = await cliHome();
  const at = (...names: readonly string[]) => join(home.directory, ...names);
  const own = at(".pallium", "codex-sessions.sqlite");
  const legacy = at(".codex-memory", "codex-sessions.sqlite");
  const messages = [{ line_no: 1, role: "user", text: "Fix the billing" }];
  await writeGoSessions(own, [
    { id: "in-both", messages },
    { id: "one", messages },
  ]);
  await writeGoSessions(legacy, [
    { id: "in-both", messages },
    { id: "two", messages },
  ]);
  const before = await Promise.all([own, legacy].map((path) => readFile(path)));
  const ids = async (env = {}) => {
    const { stdout } = await home.pallium(["sessions", "list", "--json"], { env });
    return JSON.parse(stdout)
      .map(({ id }: { id: string }) => id)
      .toSorted();
  };
  expect(await ids()).toEqual(["in-both", "one", "two"]);
  expect(await ids({ PALLIUM_HOME: at("elsewhere") })).toEqual([]);
  const named = await home.pallium(["sessions", "list", "--db", legacy, "--json"]);
  expect(errorOf(named.stderr)).toMatchObject({ code: "database_foreign" });
  const other = await home.pallium(["sessions", "index", "--db", "other.sqlite"]);
  expect(other.stderr).not.toContain("copied");
  const after = await Promise.all([own, legacy].map((path) => readFile(path)));
  expect(after.map((bytes, index) => bytes.equals(before[index] ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
  ]);
});
