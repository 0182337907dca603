/** `workflow generate` and `workflow template`, through the real program. */
import { describe, expect, test } from "bun:test";
import { exists, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedWorkflow } from "../../src/workflow/authoring/generate.ts";
import type { WorkflowTemplate } from "../../src/workflow/authoring/templates/catalogue.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

/** Everything that could end a string, a template, a comment or a script. */
const HOSTILE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay text.
  'say "hi" `now` ${process.exit(1)} \'x\' \\ */ </script> <!-- import("fs") \u2028\nreturn 7;';

const REVIEW = '{"angle":"a","findings":["f"],"risks":[],"next_steps":[]}';
const SUMMARY = '{"decision":"d","top_findings":["f"],"next_prompt":"n"}';
const RESEARCH = '{"angle":"a","claims":["c"],"sources":[],"open_questions":[]}';
const CHECKED = '{"verdict":"v","corrections":[],"strongest_sources":["s"]}';
const GREEN = '{"ok":true,"command":"c","summary":"s","output_tail":"","failures":[]}';
const RED =
  '{"ok":false,"command":"c","summary":"s","output_tail":"","failures":[{"name":"n","message":"m"}]}';

interface Style {
  readonly style: string;
  readonly answers: readonly string[];
  readonly labels: readonly string[];
  readonly phases: readonly string[];
  readonly fields: readonly string[];
}

const STYLES: readonly Style[] = [
  {
    style: "review",
    answers: [REVIEW, REVIEW, REVIEW, SUMMARY],
    labels: ["correctness", "regression-risk", "synthesizer", "verification-plan"],
    phases: ["inspect", "scope", "synthesize"],
    fields: ["preflight", "reviews", "drift", "summary"],
  },
  {
    style: "test-fix",
    answers: [RED, '{"summary":"mended"}', GREEN],
    labels: ["fix-loop-check-1", "fix-loop-check-2", "fix-loop-fix-1"],
    phases: ["baseline", "finalize", "fix-loop", "scope"],
    fields: ["task", "baselineContext", "verification", "finalReview", "handoff"],
  },
  {
    style: "research",
    answers: [RESEARCH, RESEARCH, RESEARCH, CHECKED],
    labels: ["cross-checker", "implementation-patterns", "risks-and-gaps", "source-discovery"],
    phases: ["research", "synthesize", "verify"],
    fields: ["reports", "verification"],
  },
];

/** A repository with a base to compare with and an index. */
async function indexedHome(): Promise<EditHome> {
  const edits = await editHome();
  await edits.repo.commit("second", { "a.txt": "one\n2\n" });
  await edits.json("index");
  return edits;
}

function generate(
  edits: EditHome,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return edits.home.pallium(["workflow", "generate", ...args], { cwd: edits.repo.path, env });
}

describe("a generated script", () => {
  test.each(STYLES)(
    "of style $style runs to its end, whatever the task says (oracle 79)",
    async (wanted) => {
      await using edits = await indexedHome();
      const { style, answers, labels, phases, fields } = wanted;
      await generate(edits, [
        HOSTILE,
        "--style",
        style,
        "--test-command",
        HOSTILE,
        "--save",
        "made",
      ]);
      const run = await edits.home.pallium(
        ["workflow", "run", "/made", "--id", "wf-test", "--json"],
        {
          cwd: edits.repo.path,
          env: {
            PALLIUM_WORKFLOW_AGENT_STUB: "x",
            PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: JSON.stringify(answers),
          },
        },
      );
      const snapshot = JSON.parse(run.stdout) as Snapshot;
      expect({ status: snapshot.run.status, failures: snapshot.run.failures }).toEqual({
        status: "completed",
        failures: undefined,
      });
      const agents = snapshot.agents.filter(({ mode }) => mode !== "internal");
      const named = agents
        .map(({ label }) => label ?? "")
        .filter((label) => !label.endsWith("-patch"));
      expect(named.sort()).toEqual([...labels]);
      expect(snapshot.phases.map(({ name }) => name).sort()).toEqual([...phases]);
      const result = JSON.parse(snapshot.run.result ?? "");
      expect(Object.keys(result).sort()).toEqual([...fields].sort());
      expect(Object.values(result)).not.toContain(null);
      expect(snapshot.agents.some(({ prompt }) => prompt.includes("return 7;"))).toBe(true);
    },
    60_000,
  );

  test("does without an index, and says what it leaves out", async () => {
    await using home = await workflowHome();
    const { script } = await home.json<GeneratedWorkflow>([
      "workflow",
      "generate",
      "x",
      "--test-command",
      "true",
    ]);
    const { result, stderr, snapshot } = await home.script(script, { stub: GREEN });
    expect(snapshot.run.status).toBe("completed");
    expect(result).toMatchObject({ task: "x", verification: { ok: true } });
    expect(stderr).toContain("the declared task is left out");
  }, 60_000);

  test("holds the command and the rounds (oracle 79)", async () => {
    await using home = await workflowHome();
    const made = async (...args: string[]) =>
      (await home.json<GeneratedWorkflow>(["workflow", "generate", "fix it", ...args])).script;
    const script = await made(
      "--style",
      "fix-until-green",
      "--test-command",
      "go test ./...",
      "--max-rounds",
      "7",
    );
    expect(script).toContain("verify.untilGreen(command");
    expect(script).toContain("maxRounds: 7");
    expect(script).toContain('"go test ./..."');
    expect(await made("--style", "test-fix", "--max-rounds", "0")).toContain("maxRounds: 3");
    expect(await made("--style", "test-fix")).toContain('"pallium verify fast"');
    expect(await made()).toContain('name: "review"');
    expect(await made("--test-command", "true")).toContain('name: "test-fix"');
  });
});

describe("where a generated script goes", () => {
  test("--output and --save begin at --cwd; --save goes before --output, --user to the home (oracle 79)", async () => {
    await using home = await workflowHome();
    const repo = join(home.directory, "repo");
    await Bun.write(join(repo, "a.txt"), "a");
    const made = (...args: string[]) =>
      home.json<GeneratedWorkflow>(["workflow", "generate", "x", "--cwd", "repo", ...args]);
    expect((await made("--output", "out/x.js")).path).toEndWith("/repo/out/x.js");
    expect(await exists(join(repo, "out/x.js"))).toBe(true);
    expect((await made("--output", "y.js", "--save", "/mine.js")).path).toEndWith(
      "/repo/.pallium/workflows/mine.js",
    );
    expect(await exists(join(repo, "y.js"))).toBe(false);
    const user = await made("--save", "mine", "--user");
    expect(user.path).toBe(join(home.directory, ".pallium/workflows/mine.js"));
    expect(await readFile(user.path, "utf8")).toBe(user.script);
  });

  test.each([
    ["--output", "there.js"],
    ["--save", "there"],
  ])("%s %s is not overwritten without --force", async (flag, value) => {
    await using home = await workflowHome();
    const path = join(home.directory, flag === "--save" ? ".pallium/workflows/there.js" : value);
    await Bun.write(path, "mine");
    const args = ["workflow", "generate", "x", flag, value, "--json"];
    const env = { PALLIUM_WORKFLOW_GENERATE_STUB: "return 1;" };
    const refused = await home.pallium([...args, "--llm"], { env });
    expect({ exit: refused.exitCode, code: errorOf(refused.stderr).code }).toEqual({
      exit: 1,
      code: "workflow_exists",
    });
    // Refused before the provider was asked.
    expect(refused.stderr).not.toContain("GENERATE_STUB is set");
    expect(await readFile(path, "utf8")).toBe("mine");
    expect((await home.pallium([...args, "--force"])).exitCode).toBe(0);
    expect(await readFile(path, "utf8")).toContain("export const meta");
  });

  test.each(["../x", "a/b", "..", "", "a b", "x".repeat(121)])(
    "--save %p is refused",
    async (name) => {
      await using home = await workflowHome();
      const { stderr, exitCode } = await home.pallium([
        "workflow",
        "generate",
        "x",
        `--save=${name}`,
        "--json",
      ]);
      expect({ exitCode, code: errorOf(stderr).code }).toEqual({ exitCode: 2, code: "invalid_id" });
    },
  );
});

describe("--llm", () => {
  const script = 'return await agent("made by a model");';
  const fenced = `\`\`\`js\n${script}\n\`\`\``;

  test("takes the stub's script, without the fence around it, and writes it where it is told to (oracle 79)", async () => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_GENERATE_STUB: `\n${fenced}\n` };
    expect(await home.json<GeneratedWorkflow>(["workflow", "generate", "x", "--llm"], env)).toEqual(
      { path: "", script: `${script}\n`, style: "auto", task: "x" },
    );
    const { path } = await home.json<GeneratedWorkflow>(
      ["workflow", "generate", "x", "--llm", "--output", "made.js"],
      env,
    );
    expect(await readFile(path, "utf8")).toBe(`${script}\n`);
  });

  test("asks the resolved provider once, to read only, and tells it all it needs (oracle 79)", async () => {
    await using home = await workflowHome();
    await writeFile(join(home.directory, "answer"), fenced);
    const env = {
      PALLIUM_WORKFLOW_PROVIDER: "mine",
      ...provider(
        "mine",
        'cat "$PALLIUM_WORKFLOW_PROMPT_FILE" > "$HOME/prompt"; echo "$PALLIUM_WORKFLOW_MODE $PALLIUM_WORKFLOW_NETWORK $PALLIUM_WORKFLOW_CWD" >> "$HOME/calls"; cat "$HOME/answer"',
      ),
    };
    const made = await home.json<GeneratedWorkflow>(
      [
        "workflow",
        "generate",
        HOSTILE,
        "--llm",
        "--test-command",
        "make check",
        "--max-rounds",
        "4",
      ],
      env,
    );
    expect(made.script).toBe(`${script}\n`);
    const calls = await readFile(join(home.directory, "calls"), "utf8");
    expect(calls.trim().split("\n")).toHaveLength(1);
    expect(calls).toStartWith("read-only 0 ");
    const prompt = await readFile(join(home.directory, "prompt"), "utf8");
    for (const part of [
      JSON.stringify(HOSTILE),
      "make check",
      '"max_rounds": 4',
      "verify.untilGreen",
      '"style": "test-fix"',
      "export const meta",
    ]) {
      expect(prompt).toContain(part);
    }
  });

  test.each([
    ["fails", "echo broken >&2; exit 3", "generation_failed", "workflow generation failed: "],
    ["says nothing", "true", "generation_failed", "produced no output"],
    ["answers an empty fence", "printf '```js\\n\\n```'", "generation_failed", "answered nothing"],
    [
      "answers prose",
      "echo Here is what I would do",
      "generated_invalid",
      "generated workflow is invalid: ",
    ],
  ])("writes nothing when the provider %s", async (_, command, code, message) => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_PROVIDER: "mine", ...provider("mine", command) };
    const { stderr, exitCode } = await home.pallium(
      ["workflow", "generate", "x", "--llm", "--save", "made", "--json"],
      { env },
    );
    const error = errorOf(stderr);
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code });
    expect(error.message).toContain(message);
    expect(await exists(join(home.directory, ".pallium/workflows/made.js"))).toBe(false);
  });

  test("is not asked for a style that is not there, nor without a task (oracle 79)", async () => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_GENERATE_STUB: "return 1;" };
    const bogus = await home.pallium(["workflow", "generate", "x", "--style", "bogus", "--llm"], {
      env,
    });
    expect(bogus).toMatchObject({ exitCode: 2, stdout: "" });
    expect(bogus.stderr).toContain('unknown workflow style "bogus"');
    expect(bogus.stderr).not.toContain("GENERATE_STUB is set");
    const bare = await home.pallium(["workflow", "generate", " ", "--llm"], { env });
    expect(bare.stderr).toContain("workflow generate requires a task");
  });
});

describe("workflow template", () => {
  test("lists them, and shows one by name or alias, with or without show (oracle 81)", async () => {
    await using home = await workflowHome();
    const list = await home.json<WorkflowTemplate[]>(["workflow", "templates", "ls"]);
    expect(list.map(({ name }) => name)).toEqual(["review", "test-fix", "research"]);
    const shown = await home.json<WorkflowTemplate>([
      "workflow",
      "template",
      "show",
      "fix-until-green",
    ]);
    expect(shown).toMatchObject({ name: "test-fix", requires_test_command: true });
    expect(await home.json<WorkflowTemplate>(["workflow", "template", "test-fix"])).toEqual(shown);
    expect((await home.pallium(["workflow", "template"])).stdout).toContain(
      "Requires --test-command",
    );
    const tools = await home.json<{ name: string }[]>([
      "workflow",
      "tools",
      "list",
      "--kind",
      "verification",
    ]);
    expect(tools.map(({ name }) => name)).toEqual(["check", "verify.untilGreen"]);
    const unknown = await home.pallium(["workflow", "template", "reveiw"]);
    expect(unknown.stderr).toContain(
      'unknown workflow template "reveiw"; available templates: [review test-fix research]',
    );
    expect(unknown.stderr).toContain("did you mean review?");
  });
});
