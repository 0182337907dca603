/** A runner is killed while its agents edit: what they did, or still do, is not lost. */
import { describe, expect, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../../src/platform/files.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { provider } from "../support/workflow.ts";

const SOURCE = `await agent("one", { label: "quick", mode: "edit", provider: "quick" });
  return await agent("two", { label: "slow", mode: "edit", provider: "slow" });`;
const QUICK = 'echo quick >> "$HOME/ledger"; echo four >> a.txt; echo ok';
/** Says that it began, waits to be let go, and edits. */
const SLOW = [
  'echo slow >> "$HOME/ledger"; echo begun > begun.txt',
  'echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"',
  'while [ ! -e "$HOME/go" ]; do sleep 0.02; done',
  "rm begun.txt; echo five >> a.txt; git add -A; echo done",
  'touch "$HOME/finished"',
].join("; ");
const env = { ...provider("quick", QUICK), ...provider("slow", SLOW) };
const EDITED = "one\ntwo\nthree\nfour\nfive\n";

async function killedRun(edits: EditHome, workers = env): Promise<void> {
  const { home, repo } = edits;
  const runner = await startRun(home, SOURCE, workers, ["--cwd", repo.path]);
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
}

/** Process group of the process whose pid is in a file. */
async function groupOf(file: string): Promise<number> {
  const pid = (await readFile(file, "utf8")).trim();
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}

const letGo = ({ home }: EditHome) => writeFile(join(home.directory, "go"), "");

const resume = ({ home }: EditHome) => home.pallium(["workflow", "resume", "wf-test"], { env });

const ledger = async ({ home }: EditHome) =>
  (await readFile(join(home.directory, "ledger"), "utf8")).trim().split("\n");

const worktrees = async ({ repo }: EditHome) =>
  (await repo.git("worktree", "list")).trimEnd().split("\n");

describe("after the runner was killed, an edit", () => {
  test("that was finished meanwhile is taken over, paid once (D15)", async () => {
    await using edits = await editHome();
    await killedRun(edits);
    await letGo(edits);
    await fileAppears(join(edits.home.directory, "finished"));
    expect((await resume(edits)).exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe(EDITED);
    expect(await edits.status()).toBe(" M a.txt");
    expect(await ledger(edits)).toEqual(["quick", "slow"]);
    expect(await worktrees(edits)).toHaveLength(1);
  });

  test("that was taken over is made again where what it saw is no longer made", async () => {
    await using edits = await editHome();
    const workers = { ...env, ...provider("slow", SLOW.replace(">> a.txt", ">> b.txt")) };
    await killedRun(edits, workers);
    await letGo(edits);
    await fileAppears(join(edits.home.directory, "finished"));
    const resumed = await edits.home.pallium(["workflow", "resume", "wf-test"], { env: workers });
    expect(resumed.exitCode).toBe(0);
    const [, slow] = SOURCE.split("\n");
    expect((await edits.script(slow ?? "", {}, { env: workers })).exitCode).toBe(0);
    expect(await ledger(edits)).toEqual(["quick", "slow", "slow"]);
    expect(await edits.status()).toBe("?? b.txt");
  });

  test("that goes on is waited for", async () => {
    await using edits = await editHome();
    await killedRun(edits);
    const resumed = resume(edits);
    await letGo(edits);
    expect((await resumed).exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe(EDITED);
    expect(await ledger(edits)).toEqual(["quick", "slow"]);
  });

  test("that died too is made anew in a fresh tree, and the old tree is gone (C5, P8)", async () => {
    await using edits = await editHome();
    await killedRun(edits);
    process.kill(-(await groupOf(join(edits.home.directory, "ready"))), "SIGKILL");
    await letGo(edits);
    expect((await resume(edits)).exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe(EDITED);
    expect(await edits.read("begun.txt")).toBeUndefined();
    expect(await ledger(edits)).toEqual(["quick", "slow", "slow"]);
    expect(await worktrees(edits)).toHaveLength(1);
  });

  test("whose working tree is gone is lost, and nothing is deleted for that", async () => {
    await using edits = await editHome();
    await killedRun(edits);
    await letGo(edits);
    await fileAppears(join(edits.home.directory, "finished"));
    await rm(edits.runFile("worktrees"), { recursive: true });
    const { exitCode, stderr } = await resume(edits);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("slow failed: capture edits: the working tree is gone");
    expect(await edits.status()).toBe("");
    expect((await resume(edits)).exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe(EDITED);
    expect(await edits.status()).toBe(" M a.txt");
  });

  test("that is on record leaves no working tree behind, wherever the kill came", async () => {
    await using edits = await editHome();
    const source = `await agent("one", { mode: "edit", provider: "quick" }); throw new Error("no");`;
    const agents = { quick: QUICK };
    const { snapshot } = await edits.script(source, agents);
    const tree = edits.runFile("worktrees", snapshot.agents[0]?.id ?? "");
    await edits.repo.git("worktree", "add", "--quiet", "--detach", tree);
    await edits.script(source, agents);
    expect(await worktrees(edits)).toHaveLength(1);
    expect(await exists(tree)).toBe(false);
    expect(await ledger(edits)).toEqual(["quick"]);
  });

  test("is made by nobody else: the repository is free at once (C2)", async () => {
    await using edits = await editHome();
    await killedRun(edits);
    const other = await edits.script(
      `return await agent("x", { mode: "edit", provider: "quick" });`,
      { quick: "echo other > other.txt; echo ok" },
      { id: "wf-other" },
    );
    expect(other.exitCode).toBe(0);
    await letGo(edits);
    expect((await resume(edits)).exitCode).toBe(0);
  });
});
