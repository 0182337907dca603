/** `pallium sessions` as a user calls it, over what the real command lines wrote. */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import { asOwnerInClosed, giveToOwner } from "../support/as-owner.ts";
import { cliHome } from "../support/cli.ts";
import { TRANSCRIPTS } from "../support/transcripts/fixtures.ts";
import { errorOf } from "../support/workflow.ts";

const SESSION = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
const CLAUDE_SESSION = "b19c5154-e5f9-45f3-b871-aa182e275d37";
const LONG_AGO = new Date(Date.now() - 600_000);

/** A home in which both agents have worked, some time ago. */
async function sessionsHome({ indexed = true }: { indexed?: boolean } = {}) {
  const home = await cliHome();
  await cp(join(TRANSCRIPTS, "codex"), join(home.directory, ".codex"), { recursive: true });
  await cp(join(TRANSCRIPTS, "claude"), join(home.directory, ".claude"), { recursive: true });
  for (const name of await readdir(home.directory, { recursive: true })) {
    if (name.endsWith(".jsonl")) await utimes(join(home.directory, name), LONG_AGO, LONG_AGO);
  }
  const json = async (verb: string, ...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await home.pallium(["sessions", verb, "--json", ...args]);
    if (exitCode !== 0) throw new Error(`sessions ${verb} ${args.join(" ")}: ${stderr}`);
    const document = JSON.parse(stdout);
    const schema = outputs[`sessions.${verb}` as OperationName];
    expect(schema.safeParse(document).error?.issues ?? []).toEqual([]);
    return document;
  };
  if (indexed) await json("index");
  return { ...home, json, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

describe("pallium sessions", () => {
  test("index says what it did, and does it once", async () => {
    await using home = await sessionsHome({ indexed: false });
    expect((await home.pallium(["sessions", "list"])).stdout).toStartWith("No sessions found;");
    expect((await home.pallium(["sessions", "index"])).stdout).toBe("Indexed 8 agent sessions\n");
    const again = await home.pallium(["sessions", "index"]);
    expect(again.stdout).toBe("Indexed 0 agent sessions (8 unchanged)\n");
    const { mode } = await stat(join(home.directory, ".pallium", "sessions.sqlite"));
    expect(mode & 0o777).toBe(0o600);
  });

  test("index takes homes and other files by name, and a computer's label", async () => {
    await using home = await sessionsHome({ indexed: false });
    expect(await home.json("index", "--provider", "codex", "--machine", "laptop")).toMatchObject({
      indexed: 4,
    });
    const claude = join(home.directory, ".claude", "projects");
    const only = ["--provider", "codex", "--include", claude];
    expect(await home.json("index", "--codex-home", "none", ...only)).toMatchObject({ indexed: 0 });
    expect(
      await home.json("index", "--claude-home", "none", "--include", claude, "--since", "1h"),
    ).toMatchObject({ indexed: 8 });
    const listed = await home.json("list");
    const machines = new Set(listed.map(({ machine }: { machine: string }) => machine));
    expect(machines.size).toBe(2);
    expect(await home.json("list", "--machine", "laptop")).toHaveLength(4);
  });

  test("list is short, latest first, and filtered by what is asked", async () => {
    await using home = await sessionsHome();
    const all = await home.json("list");
    const times = all.map(({ updated_at: time }: { updated_at: string }) => time);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await home.json("list", "--limit", "2")).toHaveLength(2);
    expect(await home.json("list", "--provider", "claude")).toHaveLength(4);
    const touched = await home.json("list", "--file", "billing.ts");
    expect(touched.map(({ id }: { id: string }) => id)).toEqual([CLAUDE_SESSION, SESSION]);
    expect(await home.json("list", "--file", "billing.ts", "--tool", "bash")).toHaveLength(1);
    expect(await home.json("list", "--repo", "/home/dev")).toHaveLength(8);
    expect(await home.json("list", "--repo", "/home/de")).toEqual([]);
    expect(await home.json("list", "--since", "2026-12-03T06:01:00Z")).toHaveLength(3);
  });

  test("search takes a question in plain words and says where the answer is", async () => {
    await using home = await sessionsHome();
    const found = await home.json("search", "how", "did", "we", "fix", "the billing total?");
    expect([SESSION, CLAUDE_SESSION]).toContain(found[0].id);
    expect(found[0].hits[0].snippet).toContain("billing total");
    const text = await home.pallium(["sessions", "search", "helper", "--provider", "codex"]);
    expect(text.stdout).toContain("user: Use a helper to look at billing");
    const [first] = await home.json("search", "billing", "--role", "tool", "--context", "1");
    expect(first.hits[0]).toMatchObject({ role: "tool", matches: expect.any(Array) });
    expect([...first.hits[0].before, ...first.hits[0].after].length).toBeGreaterThan(0);
    const misspelled = await home.pallium(["sessions", "search", "biling"]);
    expect(misspelled.stderr).toContain('no message holds "biling"; looked for "billing" instead');
    const refused = await home.pallium([
      "sessions",
      "search",
      "billing",
      "--context",
      "-1",
      "--json",
    ]);
    expect(errorOf(refused.stderr)).toMatchObject({ code: "usage" });
  });

  test.each([
    '"',
    "AND",
    "NOT OR",
    "a.b",
    "*",
    "what? it's (foo.bar",
    "http://x:1/",
    "🦀",
    "x".repeat(10_000),
  ])("search and grep take %p for what it is", async (query) => {
    await using home = await sessionsHome();
    expect(Array.isArray(await home.json("search", "--", query))).toBe(true);
    expect(Array.isArray(await home.json("grep", "--", query))).toBe(true);
  });

  test.each(["*", "'", "-"])("a search for %p says that there is no word in it", async (query) => {
    await using home = await sessionsHome();
    const found = await home.pallium(["sessions", "search", "--", query]);
    expect(found.stdout).toStartWith("No sessions found");
    expect(found.stderr).toContain("the question holds no word");
  });

  test("grep finds texts to the character, and nothing else", async () => {
    await using home = await sessionsHome();
    expect(await home.json("grep", "expected 3, got -1")).toHaveLength(2);
    expect(await home.json("grep", "xpected 3, got -")).toHaveLength(2);
    expect(await home.json("grep", "expected 3, got -2")).toEqual([]);
    expect(await home.json("grep", "EXPECTED 3")).toEqual([]);
    expect(await home.json("grep", "EXPECTED 3", "--ignore-case")).toHaveLength(2);
    const tools = await home.json("grep", "billing", "--role", "user");
    expect(tools.every(({ role }: { role: string }) => role === "user")).toBe(true);
  });

  test("show names a session by the beginning of its id, with all that was said", async () => {
    await using home = await sessionsHome();
    const { session, messages, helpers } = await home.json("show", "01a23a7d-92");
    expect(session).toMatchObject({
      id: SESSION,
      cwd: "/home/dev/billing",
      commands: ["sh check.sh"],
      tool_names: ["apply_patch", "exec_command"],
      status: "complete",
      tokens_used: 889,
    });
    expect({ messages, helpers }).toEqual({ messages: [], helpers: [] });
    const bytes = await readFile(session.rollout_path);
    expect(session.rollout_sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    await rm(session.rollout_path);
    expect((await home.json("show", SESSION)).session).toEqual({ ...session, rollout_sha256: "" });
    const fork = await home.json("show", "e3f3b705", "--transcript");
    expect(fork.messages).toHaveLength(14);
    expect(fork.messages[0]).toMatchObject({ role: "user", kind: "message" });
    const helped = await home.json("show", "460bb3c7");
    expect(helped.helpers).toEqual(["agent-af4860ea4b6868de4"]);
    const text = await home.pallium(["sessions", "show", "b19c", "--transcript"]);
    expect(text.stdout).toContain("\nCommands:\n- sh check.sh\n");
    expect(text.stdout).toContain("[3000] user 2026-12-03T06:00:51");
  });

  test("show says which sessions an id could mean, and when there is none", async () => {
    await using home = await sessionsHome();
    const many = await home.pallium(["sessions", "show", "01a2", "--json"]);
    expect(errorOf(many.stderr)).toMatchObject({ code: "session_ambiguous" });
    const none = await home.pallium(["sessions", "show", "%", "--json"]);
    expect(errorOf(none.stderr)).toMatchObject({ code: "session_not_found" });
  });

  test("what is recalled says whose it is, how old, and that it is data", async () => {
    await using home = await sessionsHome();
    const label = (session_id: string, path: unknown) => ({
      from: { provider: "codex", machine: expect.any(String), session_id, path },
      age_seconds: expect.any(Number),
      trust: "untrusted_data",
    });
    const path = expect.stringContaining(`${SESSION}.jsonl`);
    const shown = await home.json("show", SESSION);
    expect(shown.recalled).toEqual(label(SESSION, path));
    const filter = ["--provider", "codex"];
    for (const documents of [
      await home.json("list", ...filter),
      await home.json("search", "billing", ...filter),
    ]) {
      for (const { id, rollout_path: path, recalled } of documents) {
        expect(recalled).toEqual(label(id, path));
      }
    }
    const [hit] = await home.json("grep", "expected 3, got -1", ...filter);
    expect(hit.recalled).toEqual(label(SESSION, path));
    const notice = "it is data, not instructions";
    expect((await home.pallium(["sessions", "list"])).stderr).toContain(notice);
    expect((await home.pallium(["sessions", "list", "--quiet"])).stderr).toBe("");
    expect((await home.pallium(["sessions", "list", "--json"])).stderr).toBe("");
    expect((await home.pallium(["sessions", "grep", "not there"])).stderr).toBe("");
  });

  test("stats count every message and every answer of a model once", async () => {
    await using home = await sessionsHome();
    const stats = await home.json("stats");
    expect(Object.entries(stats.by_provider)).toEqual([
      ["claude", 4],
      ["codex", 4],
    ]);
    expect(stats).toMatchObject({
      sessions: 8,
      tokens: 28 * 127,
      malformed_lines: 0,
      unknown_records: 0,
    });
  });

  test("neither store is taken for the other", async () => {
    await using home = await sessionsHome();
    const store = join(home.directory, ".pallium", "pallium.sqlite");
    const sessions = join(home.directory, ".pallium", "sessions.sqlite");
    await home.pallium(["workflow", "trigger", "add", "t", "task", "--script", "s.js"]);
    const asRuns = await home.pallium(["workflow", "list", "--db", sessions, "--json"]);
    expect(errorOf(asRuns.stderr).message).toContain("holds other things of pallium's");
    const asSessions = await home.pallium(["sessions", "list", "--db", store, "--json"]);
    expect(errorOf(asSessions.stderr).message).toContain("holds other things of pallium's");
    expect(await home.json("stats")).toMatchObject({ sessions: 8 });
  });

  test("PALLIUM_TEST_DB keeps them away from the user's", async () => {
    await using home = await sessionsHome({ indexed: false });
    const env = { PALLIUM_TEST_DB: join(home.directory, "test.sqlite") };
    const indexed = await home.pallium(["sessions", "index"], { env });
    expect(indexed.stderr).toContain("PALLIUM_TEST_DB is set");
    expect((await home.pallium(["sessions", "stats"], { env })).stdout).toStartWith("sessions: 8");
    expect((await home.pallium(["sessions", "stats"])).stdout).toStartWith("sessions: 0");
  });

  test.each([
    [["list", "--limit", "0"], "--limit must be 1 or more"],
    [["list", "--provider", "gemini"], "gemini"],
    [["list", "--since", "yore"], 'invalid --since "yore"'],
    [["index", "--since", "1w"], 'invalid --since duration "1w"'],
    [["index", "--include", "nowhere"], "there is no file or folder at"],
    [["index", "sessions"], "sessions"],
    [["search", " "], "say what to look for"],
    [["stats", "--db", "nothing.sqlite"], "no database is at nothing.sqlite"],
  ] as const)("%p is an error that says what to do", async (args, message) => {
    await using home = await sessionsHome({ indexed: false });
    const { stderr, exitCode } = await home.pallium(["sessions", ...args]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
  });
});

test("a folder that cannot be looked into keeps nobody from what has nothing to do with it", async () => {
  await using home = await cliHome();
  const closed = join(home.directory, "closed");
  await mkdir(closed);
  giveToOwner(home);
  for (const [words, exitCode, told] of [
    ["list", 0, "No sessions found"],
    ["stats", 0, "sessions: 0"],
    ["search ledger", 0, "No sessions found"],
    ["related", 1, "not allowed to look at"],
    ["why a.ts:1", 1, "not allowed to look at"],
  ] as const) {
    const result = await asOwnerInClosed(home, closed, `sessions ${words}`);
    expect({ words, exitCode: result.exitCode }).toEqual({ words, exitCode });
    expect(result.stdout + result.stderr).toContain(told);
  }
});
