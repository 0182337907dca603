/** Which sessions are live: real processes that bear an agent's name, and transcripts in a home. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  claudePath,
  claudeRecord,
  codexCommand,
  codexRecords,
  liveAgents,
  rolloutPath,
  WAITS,
} from "../../../support/live-agents.ts";

const HOUR_MS = 3600 * 1000;
const WEEKS_MS = 21 * 24 * HOUR_MS;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

test("weakness 27 of sessions: agents without a terminal are found, and all sessions of an editor's server", async () => {
  await using agents = await liveAgents();
  for (const id of ["one", "two", "three"]) {
    await agents.write(rolloutPath(id), codexRecords(id, `fix ${id}`));
  }
  const server = await agents.start("/opt/editor/codex", {
    args: ["app-server"],
    open: [rolloutPath("one"), rolloutPath("two")],
  });
  const exec = await agents.start("codex-x86_64-unknown-linux-musl", {
    open: [rolloutPath("three")],
  });
  await agents.start("codex", { args: ["mcp-server"] });
  const sessions = await agents.live();
  expect(sessions.map(({ pid, thread_id: id, title }) => `${pid} ${id} ${title}`).sort()).toEqual(
    [`${exec} three fix three`, `${server} one fix one`, `${server} two fix two`].sort(),
  );
  for (const { tty, status, provider, thread_id, recalled } of sessions) {
    expect({ tty, status, provider }).toEqual({
      tty: undefined,
      status: "active",
      provider: "codex",
    });
    expect(recalled.trust).toBe("untrusted_data");
    expect(recalled.from.session_id).toBe(thread_id ?? "");
    expect(recalled.from.path).toEndWith(rolloutPath(thread_id ?? ""));
  }
});

test("weakness 27 of sessions: what a runtime runs is known by its script, and counts once with the program that it starts", async () => {
  await using agents = await liveAgents();
  const claude = await agents.start("node", {
    script: "node_modules/@anthropic-ai/claude-code/cli.js",
  });
  const child = await agents.write("child.sh", [WAITS]);
  await agents.write(rolloutPath("one"), codexRecords("one", "fix it", { cwd: agents.directory }));
  const wrapper = await agents.start("/usr/bin/node", {
    script: "node_modules/@openai/codex/bin/codex.js",
    program: `exec 9<&0; bash -c 'exec -a codex /bin/sh "$0"' '${child}' <&9 & wait`,
    open: [rolloutPath("one")],
  });
  const sessions = await agents.live();
  expect(sessions.map(({ provider }) => provider).sort()).toEqual(["claude", "codex"]);
  expect(sessions.find(({ provider }) => provider === "claude")?.pid).toBe(claude);
  expect(sessions.map(({ pid }) => pid)).not.toContain(wrapper);
});

test("weakness 28 of sessions: a session of weeks ago in the same folder is not at work again, nor a helper a session", async () => {
  await using agents = await liveAgents();
  const cwd = join(agents.directory, "repo");
  const at = ago(WEEKS_MS);
  await agents.write(rolloutPath("old"), codexRecords("old", "old work", { cwd, at }), WEEKS_MS);
  await agents.write(claudePath("old"), [claudeRecord("old", "old work", { cwd, at })], WEEKS_MS);
  const codex = await agents.start("codex", { cwd: "repo" });
  const claude = await agents.start("claude", { cwd: "repo" });
  const starting = await agents.live();
  expect(starting.map(({ pid }) => pid).sort()).toEqual([codex, claude].sort());
  for (const session of starting) {
    expect(session).toMatchObject({ title: "(starting up)", session_cwd: cwd, status: "active" });
    expect(session.thread_id).toBeUndefined();
  }
  const meta = { source: { subagent: { thread_spawn: { parent_thread_id: "new" } } } };
  await agents.write(rolloutPath("helper"), codexRecords("helper", "help", { cwd, meta }));
  await agents.write(claudePath("agent-1"), [claudeRecord("agent-1", "help", { cwd })]);
  await agents.write(`${claudePath("new").replace(".jsonl", "")}/subagents/agent-2.jsonl`, [
    claudeRecord("agent-2", "help", { cwd }),
  ]);
  await agents.write(claudePath("new"), [claudeRecord("new", "new work", { cwd })]);
  expect((await agents.live(true)).map(({ pid, title }) => `${pid} ${title}`).sort()).toEqual(
    [`${claude} new work`, `${codex} (starting up)`].sort(),
  );
});

test("weakness 26 of sessions: only the ends of transcripts are read, and a line that is being written is no failure", async () => {
  await using agents = await liveAgents();
  const named = (id: string, title: string) => ({ type: "custom-title", sessionId: id, title });
  const filler = claudeRecord("long", "x".repeat(100_000));
  const bash = { type: "tool_use", name: "Bash", input: { command: "bun test" } };
  await agents.write(claudePath("long"), [
    claudeRecord("long", "mend the ledger"),
    filler,
    named("long", "in the middle"),
    ...Array.from({ length: 4 }, () => filler),
    claudeRecord("long", [bash], { type: "assistant", cwd: "/repo/web" }),
    '{"type":"assistant","message":{"content":[{"type":"tool_u',
  ]);
  await agents.write(claudePath("torn"), ['{"type":"user","message":{"con']);
  await agents.write(claudePath("empty"), []);
  const long = (await agents.live(true)).find(({ thread_id: id }) => id === "long");
  expect(long).toMatchObject({
    status: "inactive",
    title: "mend the ledger",
    first_user_message: "mend the ledger",
    session_cwd: "/repo",
    effective_workdir: "/repo/web",
    git_branch: "main",
    recent_action: "Bash: bun test",
  });
  expect(await agents.live(true)).toHaveLength(3);
});

test("weakness 24 of sessions: secrets are taken out of titles, asks and actions", async () => {
  await using agents = await liveAgents();
  const key = `sk-proj-${"Zq8vN3kLw0RtYb5sXc7dPf2hJm4gAe6u".repeat(2)}`;
  await agents.write(rolloutPath("one"), [
    ...codexRecords("one", `deploy with ${key} please`, {
      meta: { git: { repository_url: `https://me:${key}@git.example/r.git` } },
    }),
    codexCommand({ cmd: `curl -H "Authorization: Bearer ${key}" https://x` }),
  ]);
  const [session] = await agents.live(true);
  const text = JSON.stringify(session);
  expect(text).not.toContain("Zq8vN3kLw0");
  expect(session?.git_origin_url).toStartWith("https://me:[redacted");
  expect(session?.title).toStartWith("deploy with [redacted");
  expect(session?.recent_action).toStartWith("exec_command: curl");
});

test("the folder that a command names is where a session works", async () => {
  await using agents = await liveAgents();
  const path = rolloutPath("one");
  const worked = async (input: object) => {
    await agents.write(path, [...codexRecords("one", "x"), codexCommand(input)]);
    return (await agents.live(true))[0]?.effective_workdir;
  };
  expect(await worked({ cmd: "ls", workdir: "/elsewhere" })).toBe("/elsewhere");
  expect(await worked({ cmd: "cd web && npm test" })).toBe("/repo/web");
  expect(await worked({ cmd: "cd '/a b' && ls" })).toBe("/a b");
  expect(await worked({ cmd: "ls && cd web" })).toBeUndefined();
});

test("Claude Code's own note says which session a process has; that of an earlier process does not count", async () => {
  await using agents = await liveAgents();
  const cwd = join(agents.directory, "repo");
  await agents.write(claudePath("noted", "-elsewhere"), [claudeRecord("noted", "noted work")]);
  await agents.write(claudePath("other"), [claudeRecord("other", "other work", { cwd })]);
  const pid = await agents.start("claude", { cwd: "repo" });
  const note = (sessionId: string, startedAt: number) =>
    agents.write(`.claude/sessions/${pid}.json`, [{ pid, sessionId, cwd, startedAt }]);
  await note("noted", Date.now());
  expect(await agents.live()).toMatchObject([{ pid, thread_id: "noted", title: "noted work" }]);
  await note("unwritten", Date.now());
  expect(await agents.live()).toMatchObject([
    { pid, thread_id: "unwritten", title: "(starting up)", session_cwd: cwd },
  ]);
  await note("noted", Date.now() - HOUR_MS);
  expect((await agents.live())[0]?.thread_id).not.toBe("noted");
});

test("a process's own homes count, not those of whoever looks", async () => {
  await using agents = await liveAgents();
  const cwd = join(agents.directory, "repo");
  const env = { CLAUDE_CONFIG_DIR: join(agents.directory, "other") };
  const pid = await agents.start("claude", { cwd: "repo", env });
  await agents.write(claudePath("usual"), [claudeRecord("usual", "usual", { cwd })]);
  await agents.write(claudePath("own", "-repo", "other"), [claudeRecord("own", "own", { cwd })]);
  expect(await agents.live()).toMatchObject([{ pid, title: "own" }]);
});

test("inactive sessions are told of when asked for: of the last week, the latest first, behind the active", async () => {
  await using agents = await liveAgents();
  const days = [8, 3, 1, 2];
  for (const day of days) {
    const at = ago(day * 24 * HOUR_MS);
    await agents.write(
      rolloutPath(`d${day}`),
      codexRecords(`d${day}`, "x", { at }),
      day * 24 * HOUR_MS,
    );
  }
  const pid = await agents.start("codex", { open: [rolloutPath("d3")] });
  expect((await agents.live()).map((session) => session.pid)).toEqual([pid]);
  const all = await agents.live(true);
  expect(all.map(({ thread_id: id, status }) => `${id} ${status}`)).toEqual([
    "d3 active",
    "d1 inactive",
    "d2 inactive",
  ]);
});
