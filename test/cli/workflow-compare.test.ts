/** `workflow diff` of two runs, through the real program. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { RunComparison } from "../../src/workflow/comparison/run-comparison.ts";
import { PALLIUM } from "../support/cli.ts";
import { onTerminal, plain } from "../support/terminal.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Answers with the prompt that it was given. */
const ECHO = provider("echo", 'cat "$PALLIUM_WORKFLOW_PROMPT_FILE"');
const ESCAPE = String.fromCharCode(27);

const SCRIPT = `const ask = (label, prompt) => agent(prompt, { label, provider: "echo" });
await parallel(args.angles, (angle) => ask(angle, "look at " + angle + args.note));
await check("echo fine", { label: "checked" });
return { note: args.note };`;

async function run(home: WorkflowHome, id: string, args: object, script = SCRIPT) {
  const { stderr, exitCode } = await home.script(script, {
    id,
    env: ECHO,
    flags: ["--args", JSON.stringify(args), "a task"],
  });
  if (exitCode !== 0) throw new Error(stderr);
}

async function twoRuns(note = "\u001b[2J later"): Promise<WorkflowHome> {
  const home = await workflowHome();
  await run(home, "wf-1", { angles: ["auth", "docs"], note: "" });
  await run(home, "wf-2", { angles: ["docs", "web"], note }, `${SCRIPT}\n// edited`);
  return home;
}

const compare = (home: WorkflowHome, ...args: string[]) =>
  home.pallium(["workflow", "diff", "wf-1", "wf-2", ...args]);

describe("two runs", () => {
  test("are compared call by call, with script, arguments and result", async () => {
    await using home = await twoRuns(" later");
    const comparison = await home.json<RunComparison>(["workflow", "diff", "wf-1", "wf-2"]);
    expect(outputs["workflow.compare"].safeParse(comparison).error?.issues ?? []).toEqual([]);
    expect(comparison.calls_by_change).toEqual({
      same: 1,
      differs: 1,
      only_before: 1,
      only_after: 1,
    });
    const said = comparison.calls.map(({ change, label }) => `${change} ${label}`);
    expect(said).toEqual(["only_before auth", "differs docs", "only_after web", "same checked"]);
    expect(comparison.calls[1]).toMatchObject({
      moved_from: "parallel#0[1]",
      scope: "parallel#0[0]",
      differs: ["prompt", "output"],
    });
    expect(comparison.first_divergence?.label).toBe("auth");
    expect(comparison.scripts).toMatchObject([
      { name: "script.js", change: "differs", difference: { added: 1, removed: 0 } },
    ]);
    expect(comparison.args.change).toBe("differs");
    expect(comparison.result.difference?.diff).toContain('-  "note": ""\n+  "note": " later"\n');
  });

  test("of one script and the same answers are the same", async () => {
    await using home = await workflowHome();
    for (const id of ["wf-1", "wf-2"]) await run(home, id, { angles: ["auth"], note: "" });
    const { stdout } = await compare(home);
    expect(stdout).toContain("Script script.js: the same\nArguments: the same\nResult: the same\n");
    expect(stdout).toEndWith("Calls: 2 the same, 0 different, 0 only in wf-1, 0 only in wf-2\n");
  });

  test("say at a glance where they part, then text by text what differs", async () => {
    await using home = await twoRuns(" later");
    const { stdout } = await compare(home);
    expect(stdout).toMatch(/^ +wf-1 +wf-2\nStatus +completed +completed\n/);
    expect(stdout).toMatch(/\nThey part at: auth \(agent-\S+\): only the first run made it\n/);
    expect(stdout).toMatch(/\n- {2}auth .*\n~ {2}docs +prompt, output .*\n\+ {2}web /);
    expect(stdout).toContain(
      '\nPrompt of docs\nfirst difference at character 13 ("" → " later")\n@@ -1,1 +1,1 @@\n-look at docs\n+look at docs later\n',
    );
    const glance = (await compare(home, "--stat")).stdout;
    expect(stdout).toStartWith(glance);
    expect(glance).not.toContain("@@");
  });

  test("on a terminal have colours, and it obeys nothing that is in them", async () => {
    await using home = await twoRuns();
    const command = [...PALLIUM, "workflow", "diff", "wf-1", "wf-2"];
    const shown = await onTerminal(command, { columns: 80, env: { HOME: home.directory } });
    expect(shown).toContain(`${ESCAPE}[32m+look at docs\\u{1b}[2J later${ESCAPE}[39m`);
    expect(plain(shown)).not.toContain(ESCAPE);
    // Sentences are broken by the terminal.
    const rows = plain(shown)
      .split("\n")
      .filter((line) => /^[-+~@ ]/.test(line));
    expect(Math.max(...rows.map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(80);
    expect((await compare(home)).stdout).not.toContain(ESCAPE);
    expect((await compare(home, "--color")).stdout).toContain(`${ESCAPE}[31m-look at docs`);
  });

  test.each([
    ["the same run twice", ["wf-1", "wf-1"], "usage", 2],
    ["a flag for one run", ["wf-1", "wf-2", "--side-by-side"], "usage", 2],
    ["a run that is not there", ["wf-1", "wf-9"], "run_not_found", 1],
  ] as const)("refuse %s", async (_, words, code, status) => {
    await using home = await twoRuns("");
    const { stderr, exitCode } = await home.pallium(["workflow", "diff", ...words, "--json"]);
    expect({ code: errorOf(stderr).code, exitCode }).toEqual({ code, exitCode: status });
  });
});

test("help describes what the comparison prints beside what the diff of one run prints", async () => {
  await using home = await workflowHome();
  const { commands } = await home.json<{
    commands: { name: string; variants?: { when: string; output: object }[] }[];
  }>(["help", "workflow", "diff"]);
  const [diff] = commands.filter(({ name }) => name === "workflow diff");
  expect(diff?.variants?.[0]?.when).toBe("two runs are named");
  expect(JSON.stringify(diff?.variants?.[0]?.output)).toContain("first_divergence");
});
