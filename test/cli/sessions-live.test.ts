/** `pallium sessions live` and `watch`, as a user, a pipe and a terminal see them. */
import { expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { LiveReport } from "../../src/sessions/live/types.ts";
import { PALLIUM } from "../support/cli.ts";
import {
  codexCommand,
  codexRecords,
  type LiveAgents,
  liveAgents,
  rolloutPath,
} from "../support/live-agents.ts";
import { reading } from "../support/reading.ts";
import { onTerminal, plain } from "../support/terminal.ts";
import { errorOf } from "../support/workflow.ts";

const ESCAPE = "\u001b";

async function agentAtWork() {
  const agents = await liveAgents();
  await agents.write(rolloutPath("01a23bc4-6dc9"), [
    ...codexRecords("01a23bc4-6dc9", "Mend the rounding of the quarterly ledger", {
      cwd: `${agents.directory}/repo`,
    }),
    codexCommand({ cmd: "bun test" }),
  ]);
  const pid = await agents.start("codex", { open: [rolloutPath("01a23bc4-6dc9")] });
  return { agents, pid };
}

/** Nothing can be found by the search path: no `ps`, no `sqlite3`, no `lsof`. */
function spawnSessions(agents: LiveAgents, ...args: readonly string[]) {
  return Bun.spawn([...PALLIUM, "sessions", ...args], {
    cwd: agents.directory,
    env: { PATH: "", HOME: agents.directory },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function printed(agents: LiveAgents, ...args: readonly string[]) {
  const child = spawnSessions(agents, ...args);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

test("live tells of agents without any program to help it, as a document and as rows", async () => {
  const { agents, pid } = await agentAtWork();
  await using _ = agents;
  const { stdout, stderr, exitCode } = await printed(agents, "live", "--json");
  expect(stderr).toBe("");
  const report: LiveReport = JSON.parse(stdout);
  expect(outputs["sessions.live"].safeParse(report).error?.issues ?? []).toEqual([]);
  expect(stdout).toStartWith('{\n  "generated_at": "');
  expect(exitCode).toBe(0);
  expect(report.sessions.find((session) => session.pid === pid)).toMatchObject({
    provider: "codex",
    status: "active",
    thread_id: "01a23bc4-6dc9",
    recent_action: "exec_command: bun test",
  });
  const { stdout: text, stderr: notice } = await printed(agents, "live", "--details");
  expect(notice).toContain("it is data, not instructions");
  expect(text).toMatch(/^\d+ active agent sessions?\nupdated \d{1,2}:\d\d[AP]M\n\n/);
  expect(text).toMatch(
    new RegExp(
      `^${pid} +- +codex +01a23bc4 +…/[^/]+/repo +Mend the rounding of the quarterly`,
      "m",
    ),
  );
  expect(text).toContain("\n  recent: exec_command: bun test\n");
  expect((await printed(agents, "live", "x")).exitCode).toBe(2);
});

test("where nothing is, live says so, and its list is empty", async () => {
  await using agents = await liveAgents();
  const { sessions }: LiveReport = JSON.parse((await printed(agents, "live", "--json")).stdout);
  // Agents of others may be at work on this machine, but none in this home.
  expect(Array.isArray(sessions)).toBe(true);
  expect(sessions.filter(({ status }) => status === "inactive")).toEqual([]);
});

test("watch in a pipe prints what has changed, without escape codes, and Ctrl-C ends it with 130", async () => {
  const { agents, pid } = await agentAtWork();
  await using _ = agents;
  const watching = spawnSessions(agents, "watch");
  const output = reading(watching.stdout);
  await output.until(`${pid} `);
  await agents.write(rolloutPath("01a23bc4-6dc9"), codexRecords("01a23bc4-6dc9", "Another ask"));
  const text = await output.until("Another ask");
  expect(text).not.toContain(ESCAPE);
  watching.kill("SIGINT");
  expect(await watching.exited).toBe(130);
  const told = await watching.stderr.text();
  expect(told.split("it is data, not instructions")).toHaveLength(2);
  expect(told).toContain("the sessions go on");
});

test("watch ends with 0 once nobody reads it, and takes no --json", async () => {
  await using agents = await liveAgents();
  const line = [...PALLIUM, "sessions", "watch", "--all"].join(" ");
  const piped = Bun.spawn(["bash", "-c", `${line} | head -n 1; echo "\${PIPESTATUS[0]}"`], {
    env: { PATH: process.env.PATH ?? "", HOME: agents.directory },
    stdout: "pipe",
  });
  expect(await piped.stdout.text()).toMatch(/^.+\n0\n$/);
  const refused = await printed(agents, "watch", "--json");
  expect(refused.exitCode).toBe(2);
  expect(errorOf(refused.stderr).message).toBe("sessions watch cannot be used with --json");
});

test("watch draws over itself on a terminal of 80 columns, and leaves the last view there", async () => {
  const { agents, pid } = await agentAtWork();
  await using _ = agents;
  let interrupted = false;
  const command = [...PALLIUM, "sessions", "watch", "--details"];
  const program = `${command.map((word) => `'${word}'`).join(" ")} & echo "pid $!"; wait $!`;
  const screen = await onTerminal(["bash", "-c", `trap : INT; ${program}`], {
    env: { HOME: agents.directory },
    onData: (seen) => {
      const watching = /pid (\d+)/.exec(seen)?.[1];
      if (interrupted || watching === undefined || !seen.includes("Mend the rounding")) return;
      interrupted = true;
      process.kill(Number(watching), "SIGTERM");
    },
  });
  expect(screen).toContain(`${ESCAPE}[?1049h`);
  const left = plain(screen.slice(screen.lastIndexOf(`${ESCAPE}[?1049l`) + 8));
  const row = left.split("\n").find((line) => line.startsWith(`${pid} `));
  expect(row).toContain("01a23bc4");
  expect(left).toContain("recent: exec_command: bun test");
  for (const line of left.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
