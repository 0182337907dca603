/** `verify.untilGreen`: real test runs that fail, fixers that mend them, or only seem to. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { exists } from "../../src/platform/files.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";

const BUN = process.execPath;
const FIXED = `echo '{"summary":"mended"}'`;

interface Loop {
  readonly ok: boolean;
  readonly stalled: boolean;
  readonly verdict: string;
  readonly merged: boolean;
  readonly weakened: readonly { readonly file: string; readonly reason: string }[];
  readonly rounds: readonly { readonly fixed: boolean }[];
  readonly patch?: string;
}

const loop = (command: string) =>
  `return await verify.untilGreen(${JSON.stringify(command)}, { label: "green" });`;

interface Fixture {
  readonly name: string;
  readonly program: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
  readonly source: string;
  readonly testFile: string;
}

const FIXTURES: readonly Fixture[] = [
  {
    name: "bun test",
    program: BUN,
    files: {
      "add.js": "export const add = (a, b) => a - b;\n",
      "add.test.js": `import { expect, test } from "bun:test";\nimport { add } from "./add.js";\ntest("adds", () => { expect(add(1, 2)).toBe(3); });\n`,
    },
    command: `${BUN} test`,
    source: "add.js",
    testFile: "add.test.js",
  },
  {
    name: "node:test",
    program: "node",
    files: {
      "add.js": "exports.add = (a, b) => a - b;\n",
      "test/add.test.js": `const test = require("node:test");\nconst assert = require("node:assert");\nconst { add } = require("../add.js");\ntest("adds", () => { assert.strictEqual(add(1, 2), 3); });\n`,
    },
    command: "node --test test/*.test.js",
    source: "add.js",
    testFile: "test/add.test.js",
  },
  {
    name: "unittest",
    program: "python3",
    files: {
      "add.py": "def add(a, b):\n    return a - b\n",
      "test_add.py":
        "import unittest\nfrom add import add\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
      ".gitignore": "__pycache__/\n",
    },
    command: "python3 -m unittest",
    source: "add.py",
    testFile: "test_add.py",
  },
];

for (const { name, program, files, command, source, testFile } of FIXTURES) {
  describe.skipIf(Bun.which(program) === null)(name, () => {
    test("a fixer that mends the code is merged and applied (oracle 53)", async () => {
      await using edits = await editHome(files);
      const { result, snapshot } = await edits.script(
        loop(command),
        {},
        {
          env: fixer(`sed -i 's/a - b/a + b/' ${source}; ${FIXED}`),
        },
      );
      const end = result as Loop;
      expect(end).toMatchObject({ ok: true, verdict: "green", merged: true, weakened: [] });
      expect(end.rounds.map(({ fixed }) => fixed)).toEqual([true, false]);
      expect(snapshot.agents).toMatchObject([
        { label: "green-check-1", mode: "test" },
        { label: "green-fix-1", mode: "edit" },
        { label: "green-check-2", mode: "test" },
        { label: "green-patch", provider: "internal", status: "completed", isolation: "worktree" },
      ]);
      expect(await edits.read(source)).toContain("a + b");
      expect(await edits.status()).toBe(` M ${source}`);
      expect((await edits.repo.git("worktree", "list")).trimEnd().split("\n")).toHaveLength(1);
    });

    test("a fixer that deletes the test gets the weakened verdict, and nothing is applied", async () => {
      await using edits = await editHome({ ...files, "keep.test.js": "", "test/keep.test.js": "" });
      const { result, exitCode } = await edits.script(
        loop(`${command} || test ! -e ${testFile}`),
        {},
        {
          env: fixer(`git rm -q ${testFile}; ${FIXED}`),
        },
      );
      expect(exitCode).toBe(0);
      const end = result as Loop;
      expect(end).toMatchObject({ ok: true, verdict: "weakened", merged: false });
      expect(end.weakened).toEqual([{ file: testFile, reason: "test file deleted" }]);
      expect(await edits.status()).toBe("");
      expect(await exists(end.patch ?? "")).toBe(true);
    });
  });
}

/** The default provider as a command: a check that names none is run directly. */
function fixer(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "fixer", PALLIUM_WORKFLOW_PROVIDER_FIXER_COMMAND: command };
}

const CHECK = {
  "check.sh": `test "$(cat value)" = good || { echo "value is $(cat value)"; exit 1; }\n`,
  value: "bad\n",
};
const RUN = loop("sh check.sh");

describe("a loop", () => {
  test("that is green at once makes no tree and needs no repository (oracle 56)", async () => {
    await using edits = await editHome();
    const { result, snapshot } = await edits.script(
      `return await verify.untilGreen("true");`,
      {},
      { cwd: edits.home.directory },
    );
    expect(result).toMatchObject({ ok: true, verdict: "green", merged: false });
    expect(snapshot.agents).toMatchObject([{ mode: "test" }]);
    expect(await exists(edits.runFile("worktrees"))).toBe(false);
  });

  test("whose fixes change nothing that fails is stalled, and nothing of it is applied (D9)", async () => {
    await using edits = await editHome(CHECK);
    const { result, exitCode } = await edits.script(
      RUN,
      {},
      { env: fixer(`date +%N > other; ${FIXED}`) },
    );
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ ok: false, stalled: true, verdict: "stalled", merged: false });
    expect((result as Loop).rounds).toHaveLength(2);
    expect(await edits.status()).toBe("");
    expect(await exists((result as Loop).patch ?? "")).toBe(true);
  });

  test("that is over its rounds is exhausted; what it did is applied only where that is asked (D9)", async () => {
    await using edits = await editHome(CHECK);
    const script = `return await verify.untilGreen("sh check.sh", { maxRounds: "2", apply: "always" });`;
    const { result } = await edits.script(script, {}, { env: fixer(`echo x >> value; ${FIXED}`) });
    expect(result).toMatchObject({ ok: false, verdict: "exhausted", merged: true });
    expect((result as Loop).rounds).toHaveLength(3);
    expect(await edits.read("value")).toBe("bad\nx\nx\n");
  });

  test("in a sub-directory checks, fixes and applies there (D10)", async () => {
    await using edits = await editHome({ "sub/check.sh": CHECK["check.sh"], "sub/value": "bad\n" });
    const { result } = await edits.script(
      RUN,
      {},
      {
        env: fixer(`echo good > value; ${FIXED}`),
        cwd: edits.repo.join("sub"),
      },
    );
    expect(result).toMatchObject({ verdict: "green", merged: true });
    expect(await edits.status()).toBe(" M sub/value");
  });

  test("that was cut short by the budget leaves a patch and no tree, and converges on resume (oracles 54, 55)", async () => {
    await using edits = await editHome(CHECK);
    const env = fixer(
      `echo run >> "$HOME/ledger"; if [ -e step ]; then echo good > value; else touch step; echo half > value; fi; ${FIXED}`,
    );
    const first = await edits.script(RUN, {}, { env, flags: ["--max-budget-usd", "0.015"] });
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain("workflow budget exhausted");
    expect((await edits.repo.git("worktree", "list")).trimEnd().split("\n")).toHaveLength(1);
    expect(await edits.status()).toBe("");
    const resumed = await edits.home.pallium(
      ["workflow", "resume", "wf-test", "--max-budget-usd", "1", "--json"],
      { cwd: edits.repo.path, env },
    );
    expect(resumed.exitCode).toBe(0);
    expect(await edits.read("value")).toBe("good\n");
    const ledger = await Bun.file(`${edits.home.directory}/ledger`).text();
    expect(ledger).toBe("run\nrun\n");
    const { agents } = await edits.json<Snapshot>("workflow", "show", "wf-test");
    expect(agents.filter(({ provider }) => provider === "internal")).toHaveLength(1);
  });

  test("leaves a row that is not counted as an agent, nor are the checks (oracle 55)", async () => {
    await using edits = await editHome(CHECK);
    const env = fixer(`echo good > value; ${FIXED}`);
    const within = (agents: string) => ({ env, flags: ["--max-agents", agents] });
    const two = `${RUN.replace("return", "")} await agent("two");`;
    const first = await edits.script(two, {}, within("2"));
    expect(first.exitCode).toBe(0);
    expect(first.snapshot.agents).toHaveLength(5);
    const three = `${two} await agent("three");`;
    const over = await edits.script(three, {}, within("2"));
    expect(over.snapshot.run.error).toContain("exceeded max agents");
    expect((await edits.script(three, {}, within("3"))).exitCode).toBe(0);
  });

  test("in an item of a group that is paused pauses the run, and goes on when it is resumed (oracle 38)", async () => {
    await using edits = await editHome(CHECK);
    const source = `return await parallel([1], () => verify.untilGreen("sh check.sh"));`;
    const env = fixer(
      `touch "$HOME/fixing"; while ! [ -e "$HOME/go" ]; do sleep 0.02; done; echo good > value; ${FIXED}`,
    );
    const paused = edits.script(source, {}, { env });
    await fileAppears(`${edits.home.directory}/fixing`);
    await edits.home.pallium(["workflow", "pause", "wf-test"]);
    expect((await paused).snapshot.run).toMatchObject({ status: "paused" });
    expect((await paused).snapshot.run.failures).toBeUndefined();
    expect(await edits.status()).toBe("");
    await writeFile(`${edits.home.directory}/go`, "");
    const { result } = await edits.script(source, {}, { env });
    expect(result).toMatchObject([{ ok: true, verdict: "green", merged: true }]);
    expect(await edits.read("value")).toBe("good\n");
  });

  test("counts what fixes changed, not what its checks left in between", async () => {
    const check = 'echo run >> log; echo x > "made.$$"; cat value >&2; grep -q good value';
    await using edits = await editHome({ "check.sh": check, value: "bad\n", log: "" });
    const fix = `if grep -q half value; then echo good > value; else echo half > value; fi; ${FIXED}`;
    const { result, snapshot } = await edits.script(RUN, {}, { env: fixer(fix) });
    expect((result as Loop).rounds).toHaveLength(3);
    const merged = snapshot.agents.find(({ provider }) => provider === "internal");
    expect(merged?.receipt?.files).toEqual([{ path: "value", change: "modified" }]);
    // The first check is run in the checkout itself.
    expect(await edits.read("log")).toBe("run\n");
  });

  test("sees what was edited before it, and is seen by what comes after (oracle 47)", async () => {
    await using edits = await editHome(CHECK);
    const { result } = await edits.script(
      `await agent("good", { mode: "edit", provider: "good" });
       const loop = await verify.untilGreen("sh check.sh");
       return { verdict: loop.verdict, rounds: loop.rounds.length };`,
      { good: "echo good > value; echo ok" },
    );
    expect(result).toEqual({ verdict: "green", rounds: 1 });
    expect(await edits.read("value")).toBe("good\n");
  });
});
