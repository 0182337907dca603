/** Which provider serves a call, and what a run records of it: the oracles of the contract on providers. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editHome } from "../support/edit-runs.ts";
import { shellProgram } from "../support/provider-fixtures.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const ENVELOPE = JSON.stringify({
  type: "result",
  result: "from claude",
  total_cost_usd: 0.02,
  usage: { input_tokens: 10, output_tokens: 20 },
});

/** A PATH whose first folder holds programs named `codex` and `claude` that say who they are. */
async function fakeClis(home: WorkflowHome): Promise<Record<string, string>> {
  const folder = join(home.directory, "bin");
  await mkdir(folder);
  shellProgram(
    join(folder, "codex"),
    'printf "%s\\n" "$@" > "$HOME/codex-argv"; cat > "$HOME/codex-stdin"',
    'while [ "$1" != --output-last-message ]; do shift; done',
    'echo "from codex" > "$2"',
  );
  shellProgram(join(folder, "claude"), `cat > "$HOME/claude-stdin"; echo '${ENVELOPE}'`);
  return { PATH: `${folder}:${process.env.PATH}` };
}

describe("a call without a provider", () => {
  test("goes to codex, its prompt on stdin and never in argv (oracles 62, 65, P6)", async () => {
    await using home = await workflowHome();
    const { result, snapshot } = await home.script(
      `return await agent("--do not take me for a flag", { model: "m" });`,
      { env: await fakeClis(home) },
    );
    expect(result).toBe("from codex");
    expect(snapshot.agents).toMatchObject([{ provider: "codex", model: "m" }]);
    const argv = (await readFile(join(home.directory, "codex-argv"), "utf8")).split("\n");
    expect(argv).toEqual(
      expect.arrayContaining(["exec", "--cd", "--model", "m", "--sandbox", "read-only"]),
    );
    expect(argv.join("\n")).not.toContain("take me for a flag");
    const stdin = await readFile(join(home.directory, "codex-stdin"), "utf8");
    expect(stdin).toContain("--do not take me for a flag");
  });

  test("reaches codex whole where it is longer than an argument may be (P6)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("p".repeat(300000));`, {
      env: await fakeClis(home),
    });
    expect(result).toBe("from codex");
    const stdin = await readFile(join(home.directory, "codex-stdin"), "utf8");
    expect(stdin).toContain("p".repeat(300_000));
  });

  test.each(["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"])(
    "goes to claude where %s says that claude steers, and its cost is kept (oracles 62, 68)",
    async (variable) => {
      await using home = await workflowHome();
      const { result, snapshot } = await home.script(`return await agent("x");`, {
        env: { ...(await fakeClis(home)), [variable]: "1" },
      });
      expect(result).toBe("from claude");
      expect(snapshot.agents).toMatchObject([{ provider: "claude", estimated_cost_usd: 0.02 }]);
    },
  );

  test("goes where PALLIUM_WORKFLOW_PROVIDER says, unless it says default (oracle 62)", async () => {
    await using home = await workflowHome();
    const clis = await fakeClis(home);
    const named = { ...clis, ...provider("p", "echo from p"), CLAUDECODE: "1" };
    const byVariable = await home.script(`return await agent("x");`, {
      env: { ...named, PALLIUM_WORKFLOW_PROVIDER: "p" },
    });
    const byDefault = await home.script(`return await agent("x");`, {
      id: "wf-default",
      env: { ...named, PALLIUM_WORKFLOW_PROVIDER: "default" },
    });
    expect([byVariable.result, byDefault.result]).toEqual(["from p", "from claude"]);
  });

  test("is recognised at resume whoever steers then (S6)", async () => {
    await using home = await workflowHome();
    const clis = await fakeClis(home);
    await home.script(`return await agent("x");`, { env: clis });
    const steering = [
      { CLAUDECODE: "1" },
      { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "echo from p") },
    ];
    for (const variables of steering) {
      const again = await home.script(`return await agent("x");`, {
        env: { ...clis, ...variables },
      });
      expect(again.result).toBe("from codex");
      expect(again.snapshot.agents).toHaveLength(1);
    }
  });
});

describe("a call with a provider", () => {
  test("goes there before anything else (oracle 62)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("x", { provider: "codex" });`, {
      env: {
        ...(await fakeClis(home)),
        ...provider("p", "echo p"),
        PALLIUM_WORKFLOW_PROVIDER: "p",
      },
    });
    expect(result).toBe("from codex");
  });

  test("cannot be internal (oracle 58)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { provider: "internal" });`);
    expect(snapshot.run.error).toContain('workflow agent provider "internal" is reserved');
    expect(snapshot.agents).toEqual([]);
  });
});

describe("a configured command", () => {
  test("is told everything about its call (oracle 63)", async () => {
    await using home = await workflowHome();
    const names = [
      "RUN_ID",
      "AGENT_ID",
      "PROVIDER",
      "LABEL",
      "MODE",
      "MODEL",
      "REPO",
      "CWD",
      "PROMPT",
      "NETWORK",
    ];
    const lines = names.map((name) => `echo "${name}=$PALLIUM_WORKFLOW_${name}"`).join("; ");
    const { result, snapshot } = await home.script(
      `return await agent("the prompt", { label: "l", model: "m", schema: { type: "string" } }).catch(() => 0);`,
      {
        env: {
          PALLIUM_WORKFLOW_PROVIDER: "p",
          ...provider(
            "p",
            `{ ${lines}; cat "$PALLIUM_WORKFLOW_SCHEMA_FILE"; } > "$HOME/told"; echo '"x"'`,
          ),
        },
      },
    );
    expect(result).toBe("x");
    const told = await readFile(join(home.directory, "told"), "utf8");
    const values = Object.fromEntries(
      told.split("\n").map((line) => line.split("=", 2) as [string, string]),
    );
    expect(values).toMatchObject({
      RUN_ID: "wf-test",
      AGENT_ID: snapshot.agents[0]?.id,
      PROVIDER: "p",
      LABEL: "l",
      MODE: "read-only",
      MODEL: "m",
      REPO: values.CWD,
      PROMPT: "the prompt",
      NETWORK: "0",
    });
    expect(told).toContain('"type"');
  });

  test("works in the repository the call names", async () => {
    await using home = await workflowHome();
    await mkdir(join(home.directory, "other"));
    await writeFile(join(home.directory, "other", "here.txt"), "");
    const { result } = await home.script(`return await agent("x", { repo: "other" });`, {
      env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "ls") },
    });
    expect(result).toBe("here.txt");
  });

  test("works on its own tree where pallium is started by a hook of git", async () => {
    await using edits = await editHome();
    const hook = {
      GIT_DIR: edits.repo.join(".git"),
      GIT_INDEX_FILE: edits.repo.join(".git/index"),
    };
    const { result } = await edits.script(
      `return await agent("x", { mode: "edit", provider: "p" });`,
      {
        p: 'echo new > new.txt; git add -A; test "$(git rev-parse --show-toplevel)" = "$PWD" && echo own',
      },
      { env: hook },
    );
    expect(result).toBe("own");
    expect(await edits.status()).toBe("?? new.txt");
  });

  test("that answers in prose to a schema is asked again once: three calls for two agents (oracle 69)", async () => {
    await using home = await workflowHome();
    const command = `echo x >> "$HOME/calls"; case "$PALLIUM_WORKFLOW_LABEL" in good) echo '{}';; *) echo prose;; esac`;
    const { result } = await home.script(
      `return await parallel(["good", "bad"], (label) => agent("x", { label, schema: { type: "object" } }));`,
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) } },
    );
    expect(result).toEqual([{}, null]);
    expect((await readFile(join(home.directory, "calls"), "utf8")).length).toBe(6);
  });

  test("that fails when asked again says why, not what the schema wanted (oracle 69)", async () => {
    await using home = await workflowHome();
    const command = `if grep -q "schema validation" "$PALLIUM_WORKFLOW_PROMPT_FILE"; then echo "broke down" >&2; exit 3; fi; echo prose`;
    const { snapshot } = await home.script(
      `return await agent("x", { schema: { type: "object" } });`,
      {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
      },
    );
    expect(snapshot.run.error).toContain("broke down");
    expect(snapshot.run.error).not.toContain("does not match schema");
  });
});
