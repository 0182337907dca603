/** `npm start` over this very checkout, with homes in which nobody is logged in. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { tempDir } from "../support/temp.ts";
import { provider } from "../support/workflow.ts";

const START = resolve(import.meta.dir, "../../scripts/start.mjs");
const KEPT = "The run is kept.";

async function start(home: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(["node", START, ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

/** How many agents, as opposed to checks, the run of a home had. */
function agentsOf(home: string): number {
  using store = new Database(join(home, ".pallium", "pallium.sqlite"), { readonly: true });
  return store.query("SELECT id FROM workflow_calls WHERE provider <> 'native'").all().length;
}

test("asked for agents where none is logged in, it says so, goes on without, and pays for none", async () => {
  await using home = await tempDir();
  const { stdout, exitCode } = await start(home.path, ["--agents"]);
  expect(stdout).toContain("No agent is ready to take part");
  expect(stdout).toContain(KEPT);
  expect(stdout).toContain("Coding agents on this machine:");
  expect(exitCode).toBe(0);
  expect(agentsOf(home.path)).toBe(0);
});

test("asked for agents, it has those that the user configured take part", async () => {
  await using home = await tempDir();
  const answer = `case "$PALLIUM_WORKFLOW_LABEL" in
    synthesis) echo '{"summary":"all is well","risks":[],"next_steps":[]}';;
    *) echo '{"summary":"s","findings":[],"risks":[]}';;
  esac`;
  const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", answer) };
  const { stdout, exitCode } = await start(home.path, ["--agents"], env);
  expect(stdout).toContain("all is well");
  expect(exitCode).toBe(0);
  expect(agentsOf(home.path)).toBe(4);
});

test("asked for agents with a provider that can be none, it says so and does not begin", async () => {
  await using home = await tempDir();
  const env = { PALLIUM_WORKFLOW_PROVIDER: "native" };
  const { stdout, stderr, exitCode } = await start(home.path, ["--agents"], env);
  expect(stderr).toStartWith('error: workflow agent provider "native" is reserved\n');
  expect(stderr).not.toContain("agents.ts:");
  expect(stdout).toBe("");
  expect(exitCode).toBe(1);
});

test("where nothing can be kept it fails and does not say that it was kept", async () => {
  const { stdout, stderr, exitCode } = await start("/dev/null/home", []);
  expect(stdout).not.toContain(KEPT);
  expect(stderr).toContain("error:");
  expect(exitCode).toBe(1);
});
