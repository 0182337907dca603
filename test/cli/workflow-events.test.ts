/** `workflow events`: the journal of a run, record by record. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { sha256 } from "../../src/platform/hash.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

interface Event {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly fence: number;
  readonly [name: string]: unknown;
}

const SOURCE = `
  phase("look");
  const answer = await agent("a long\\nprompt", { label: "one" });
  await parallel([1], () => { throw new Error("dropped on purpose"); });
  return answer;`;

async function events(home: WorkflowHome, ...flags: string[]): Promise<Event[]> {
  const outcome = await home.pallium(["workflow", "events", "wf-test", "--json", ...flags]);
  expect(outcome).toMatchObject({ stderr: "", exitCode: 0 });
  return outcome.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("workflow events", () => {
  test("prints a run and its resume as JSON Lines in the order they were written", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "the answer" });
    await home.json(["workflow", "resume", "wf-test"], { PALLIUM_WORKFLOW_AGENT_STUB: "other" });
    const journal = await events(home);
    expect(journal.map(({ type, fence }) => `${fence} ${type}`)).toEqual([
      "1 run",
      "1 phase",
      "1 started",
      "1 settled",
      "1 dropped",
      "1 phase",
      "1 run",
      "2 run",
      "2 phase",
      "2 replayed",
      "2 dropped",
      "2 phase",
      "2 run",
    ]);
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
    for (const event of journal) {
      expect(outputs["workflow.events"].safeParse(event).error?.issues ?? []).toEqual([]);
    }
    const [started, settled, replayed] = [journal[2], journal[3], journal[9]];
    expect(started).toMatchObject({ label: "one", phase: "look", provider: "codex" });
    expect(started?.prompt).toBe(sha256("a long\nprompt"));
    expect(settled).toMatchObject({ outcome: "ok", output: sha256("the answer") });
    expect(settled?.call_id).toBe(started?.call_id);
    expect(replayed?.call_id).toBe(started?.call_id);
  });

  test("with --full puts the texts in the place of their hashes", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "the answer" });
    const journal = await events(home, "--full");
    expect(journal[2]).toMatchObject({ type: "started", prompt: "a long\nprompt" });
    expect(journal[3]).toMatchObject({ type: "settled", output: "the answer" });
    expect(journal.at(-1)).toMatchObject({ type: "run", result: "the answer" });
  });

  test("reads on after a number and only the types that were asked for", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "x" });
    expect((await events(home, "--after", "5")).map(({ seq }) => seq)).toEqual([6, 7]);
    const types = ["--type", "run", "--type", "settled"];
    expect((await events(home, ...types)).map(({ seq }) => seq)).toEqual([1, 4, 7]);
    expect((await events(home, ...types, "--after", "4")).map(({ seq }) => seq)).toEqual([7]);
    expect(await events(home, "--after", "7")).toEqual([]);
  });

  test("reads a journal of several pages whole", async () => {
    await using home = await workflowHome();
    const source = `return (await parallel(Array.from({ length: 700 }, (_, i) => i), (i) => agent("p" + i))).length;`;
    await home.script(source, { stub: "x" });
    const journal = await events(home);
    expect(journal.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1402 }, (_, index) => index + 1),
    );
  });

  test("has one readable line for each record", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "the answer" });
    const { stdout, exitCode } = await home.pallium(["workflow", "events", "wf-test"]);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(
      /^ {4}2 {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}phase {5}name=look active=true$/,
    );
    expect(lines[2]).toMatch(
      / {2}started {3}call_id=agent-\S+ label=one provider=codex prompt=[0-9a-f]{12}$/,
    );
    expect(lines[4]).toContain('error="Error: dropped on purpose"');
  });

  test("of an unknown run, of an unknown type and after no number is an error", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const failure = async (...args: string[]) => {
      const { stdout, stderr } = await home.pallium(["workflow", "events", ...args, "--json"]);
      expect(stdout).toBe("");
      return errorOf(stderr);
    };
    expect(await failure("wf-other")).toMatchObject({ code: "run_not_found" });
    expect(await failure("wf-test", "--type", "setled")).toMatchObject({
      code: "usage",
      hints: ["did you mean settled?"],
    });
    expect(await failure("wf-test", "--after", "-1")).toMatchObject({ code: "usage" });
  });

  test("is marked as a stream in the help for agents", async () => {
    await using home = await workflowHome();
    const help = await home.json<{ commands: { name: string; streams?: true }[] }>(["help"]);
    const streaming = help.commands.filter(({ streams }) => streams).map(({ name }) => name);
    expect(streaming).toEqual([
      "workflow events",
      "workflow watch",
      "workflow logs",
      "workflow trigger watch",
    ]);
  });
});
