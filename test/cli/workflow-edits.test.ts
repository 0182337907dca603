/** Agents that edit: what they did is taken, merged, applied and reverted. */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { exists } from "../../src/platform/files.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { errorOf } from "../support/workflow.ts";

const EDIT = `return await agent("edit", { label: "editor", mode: "edit", provider: "editor" });`;

describe("one agent that edits", () => {
  test("writes a file: it is in the checkout after the run, and gone after a revert (oracle 45)", async () => {
    await using edits = await editHome();
    const { snapshot, exitCode } = await edits.script(EDIT, {
      editor: "echo hi > note.txt; echo ok",
    });
    expect(exitCode).toBe(0);
    const [call] = snapshot.agents;
    expect(call).toMatchObject({ mode: "edit", apply_state: "applied", status: "completed" });
    const patch = await readFile(call?.patch_path ?? "");
    expect(call?.receipt?.patch_sha256).toBe(createHash("sha256").update(patch).digest("hex"));
    expect(await exists(call?.worktree ?? "")).toBe(false);
    expect(await edits.read("note.txt")).toBe("hi\n");
    const shown = await edits.home.pallium(["workflow", "show", "wf-test"]);
    expect(shown.stdout).toContain(
      `- editor completed mode=edit phase=\n  patch: ${call?.patch_path}\n`,
    );
    expect((await edits.repo.git("worktree", "list")).trimEnd().split("\n")).toHaveLength(1);
    const apply = await edits.home.pallium(["workflow", "apply", "wf-test"]);
    expect(apply.stdout).toBe("No workflow patches to apply.\n");
    const revert = await edits.json<{ reverted: string[] }>("workflow", "revert", "wf-test");
    expect(revert.reverted).toEqual([call?.patch_path ?? ""]);
    expect(await edits.status()).toBe("");
    const again = await edits.home.pallium(["workflow", "revert", "wf-test"]);
    expect(again.stdout).toBe("No workflow patches to revert.\n");
  });

  test.each([
    ["stages", "echo x > new.txt; git rm -q old.txt; git mv a.txt b.txt; git add -A"],
    [
      "commits",
      "echo x > new.txt; git rm -q old.txt; git mv a.txt b.txt; git add -A; git -c user.name=w -c user.email=w@x commit -qm work",
    ],
    ["leaves", "echo x > new.txt; rm old.txt; mv a.txt b.txt"],
  ])(
    "%s its work: nothing of it is lost, deletions and renames included (D1)",
    async (_how, work) => {
      await using edits = await editHome({ "a.txt": "one\n", "old.txt": "old\n" });
      await edits.script(EDIT, { editor: `${work}; echo ok` });
      expect(await edits.read("new.txt")).toBe("x\n");
      expect(await edits.read("old.txt")).toBeUndefined();
      expect(await edits.read("a.txt")).toBeUndefined();
      expect(await edits.read("b.txt")).toBe("one\n");
      await edits.json("workflow", "revert", "wf-test");
      expect(await edits.status()).toBe("");
    },
  );

  test("started in a sub-directory has what it did above it applied too (D2, D10)", async () => {
    await using edits = await editHome({ "top.txt": "top\n", "sub/in.txt": "in\n" });
    const { result } = await edits.script(
      EDIT,
      { editor: "echo more >> ../top.txt; echo more >> in.txt; basename $PWD" },
      { cwd: edits.repo.join("sub") },
    );
    expect(result).toBe("sub");
    expect(await edits.read("top.txt")).toBe("top\nmore\n");
    expect(await edits.read("sub/in.txt")).toBe("in\nmore\n");
  });

  test("leaves index and unrelated changes of the user alone (D3)", async () => {
    await using edits = await editHome({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
    await edits.repo.write({ "b.txt": "staged by the user\n", "c.txt": "changed by the user\n" });
    await edits.repo.git("add", "b.txt");
    await edits.script(EDIT, { editor: "echo two >> a.txt; echo ok" });
    expect(await edits.status()).toBe(" M a.txt\nM  b.txt\n M c.txt");
  });

  test("is merged with what the user changed in the same file (D3, D5)", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await using edits = await editHome({ "a.txt": `${lines.join("\n")}\n` });
    await edits.repo.write({ "a.txt": `${lines.join("\n")}\nby the user\n` });
    await edits.script(EDIT, { editor: "sed -i '1s/.*/by the agent/' a.txt; echo ok" });
    const merged = ["by the agent", ...lines.slice(1), "by the user", ""].join("\n");
    expect(await edits.read("a.txt")).toBe(merged);
  });

  test("runs under no hook and no signature of the user's (X7)", async () => {
    await using edits = await editHome();
    await edits.repo.git("config", "commit.gpgsign", "true");
    await edits.repo.git("config", "user.signingkey", "nobody");
    for (const hook of ["pre-commit", "post-checkout"]) {
      await writeFile(edits.repo.join(".git/hooks", hook), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    }
    const source = `await agent("e", { mode: "edit", provider: "editor" }); ${EDIT}`;
    const { exitCode } = await edits.script(source, { editor: "echo x >> a.txt; echo ok" });
    expect(exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nx\nx\n");
  });
});

describe("several agents that edit", () => {
  test("in another repository change only that one (oracle 46)", async () => {
    await using edits = await editHome();
    await using other = await editHome({ "o.txt": "other\n" });
    const { exitCode } = await edits.script(
      `return await agent("x", { mode: "edit", provider: "editor", repo: args.other });`,
      { editor: "echo new > new.txt; echo ok" },
      { flags: ["--args", JSON.stringify({ other: other.repo.path })] },
    );
    expect(exitCode).toBe(0);
    expect(await edits.status()).toBe("");
    expect(await other.status()).toBe("?? new.txt");
    const { reverted } = await edits.json<{ reverted: string[] }>("workflow", "revert", "wf-test");
    expect(reverted).toHaveLength(1);
    expect(await other.status()).toBe("");
  });

  test("see what was edited before: agents, checks and gates (oracles 47, 48)", async () => {
    await using edits = await editHome({ "sub/a.txt": "one\n" });
    const { result, exitCode } = await edits.script(
      `await agent("first", { mode: "edit", provider: "first" });
       await agent("second", { mode: "edit", provider: "second" });
       const checked = await check("grep -q two a.txt && grep -q b b.txt");
       const seen = await agent("look", { provider: "looker" });
       const g = await gate("ok", "is it there?", { provider: "gate" });
       return { ok: checked.ok, seen, approved: g.approved };`,
      {
        first: "echo two >> a.txt; echo ok",
        second: "grep -q two a.txt && echo b > b.txt; echo ok",
        looker: "cat a.txt b.txt; git status --short",
        gate: `if grep -q two a.txt; then echo '{"approved":true,"reason":"seen"}'; else echo '{"approved":false,"reason":"not seen"}'; fi`,
      },
      { cwd: edits.repo.join("sub") },
    );
    expect(result).toEqual({ ok: true, seen: "one\ntwo\nb", approved: true });
    expect(exitCode).toBe(0);
    expect(await edits.read("sub/a.txt")).toBe("one\ntwo\n");
    expect(await edits.read("sub/b.txt")).toBe("b\n");
  });

  test("of one file compose where their lines are apart, and conflict where they are not (oracle 49, C13)", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await using edits = await editHome({ "a.txt": `${lines.join("\n")}\n` });
    const { snapshot, result, exitCode } = await edits.script(
      `const both = await parallel([
         () => agent("top", { label: "top", mode: "edit", provider: "top" }),
         () => agent("end", { label: "end", mode: "edit", provider: "end" }),
       ]);
       const late = await parallel([
         () => agent("same", { label: "same-1", mode: "edit", provider: "same1" }),
         () => agent("same", { label: "same-2", mode: "edit", provider: "same2" }),
       ]);
       return { both, late: late.filter((x) => x === null).length };`,
      {
        top: "sed -i '1s/.*/top/' a.txt; echo ok",
        end: "sed -i '20s/.*/end/' a.txt; echo ok",
        same1: "sed -i '10s/.*/first/' a.txt; echo ok",
        same2: "sed -i '10s/.*/second/' a.txt; echo ok",
      },
    );
    expect(result).toEqual({ both: ["ok", "ok"], late: 1 });
    expect(exitCode).toBe(0);
    const text = (await edits.read("a.txt")) ?? "";
    expect(text).toMatch(/^top\n/);
    expect(text).toMatch(/\nend\n$/);
    expect(text).not.toContain("<<<<");
    const lost = snapshot.agents.find(({ receipt }) => receipt?.conflicts !== undefined);
    expect(lost).toMatchObject({
      status: "failed",
      apply_state: "conflict",
      receipt: { conflicts: ["a.txt"] },
      error: expect.stringContaining("apply staged edits: "),
    });
    expect(await exists(lost?.patch_path ?? "")).toBe(true);
    expect(await exists(lost?.patch_path?.replace(/\.patch$/, ".others.patch") ?? "")).toBe(true);
  });

  test("that make the same change are one change (D8)", async () => {
    await using edits = await editHome();
    const { result } = await edits.script(
      `return await parallel([1, 2], (n) => agent("same " + n, { mode: "edit", provider: "editor" }));`,
      { editor: "echo four >> a.txt; echo ok" },
    );
    expect(result).toEqual(["ok", "ok"]);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
  });

  test("stand beside five that test, none of which leaves anything behind (oracle 50)", async () => {
    await using edits = await editHome();
    const { result } = await edits.script(
      `await agent("edit", { mode: "edit", provider: "editor" });
       return await parallel([1, 2, 3, 4, 5], (n) => agent("test " + n, { mode: "test", provider: "tester" }));`,
      {
        editor: "echo four >> a.txt; echo ok",
        tester:
          "echo stray > stray.$$; echo changed >> a.txt; git add -A; git status --short | wc -l | tr -d ' '; git log -1 --format=%s",
      },
    );
    expect(result).toEqual(Array(5).fill("2\nWhat the run edited so far"));
    expect(await edits.status()).toBe(" M a.txt");
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
  });

  test("and do not match their schema: the edit stays, once (oracle 52)", async () => {
    await using edits = await editHome();
    const { result, snapshot } = await edits.script(
      `return await parallel([() => agent("x", { label: "typed", mode: "edit", provider: "editor", schema: { type: "object" } })]);`,
      { editor: 'echo ran >> "$HOME/ledger"; echo four >> a.txt; echo prose' },
    );
    expect(result).toEqual([null]);
    expect(snapshot.agents).toMatchObject([{ status: "completed", outcome: "schema_failed" }]);
    expect(snapshot.run.failures).toHaveLength(1);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
  });
});

describe("a secret in an edit", () => {
  const key = `sk-${"A1b2C3d4".repeat(4)}`;
  const agents = { editor: `echo 'OPENAI_API_KEY=${key}' > .env.local; echo ok` };

  test("is not applied; file and line are named, the secret is not (oracle 57, D4, X6)", async () => {
    await using edits = await editHome();
    const { exitCode, stderr, snapshot } = await edits.script(EDIT, agents);
    expect(exitCode).toBe(1);
    const { code, message } = errorOf(stderr);
    expect(code).toBe("secret_in_patch");
    expect(message).toContain("workflow patch policy blocked .env.local: openai-key at line 1");
    expect(stderr).not.toContain(key);
    expect(snapshot.run.status).toBe("completed_with_failures");
    expect(await edits.read(".env.local")).toBeUndefined();
    const again = await edits.home.pallium(["workflow", "apply", "wf-test", "--json"]);
    expect(again.exitCode).toBe(1);
    expect(await edits.read(".env.local")).toBeUndefined();
  });

  test("is applied where the user says so, which is told (oracle 57)", async () => {
    await using edits = await editHome();
    const env = { PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH: "1" };
    const { exitCode, stderr } = await edits.script(EDIT, agents, { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("applying in spite of .env.local: openai-key at line 1");
    expect(await edits.read(".env.local")).toContain(key);
  });
});

test("a worker in mode test that changes the checkout fails, and its change is kept (X4)", async () => {
  await using edits = await editHome();
  const { snapshot, exitCode } = await edits.script(
    `return await agent("x", { label: "tester", mode: "test", provider: "tester" });`,
    { tester: "echo changed >> a.txt; echo ok" },
  );
  expect(exitCode).toBe(1);
  expect(snapshot.run.error_code).toBe("checkout_changed");
  expect(snapshot.agents[0]?.error).toContain(
    "tester (mode test) changed files of the checkout: a.txt",
  );
  const [call] = snapshot.agents;
  expect(await exists(edits.runFile("patches", `${call?.id}.checkout.patch`))).toBe(true);
});

test("two runs cannot edit one repository at the same time (oracle 61, C2)", async () => {
  await using edits = await editHome();
  const agents = {
    editor: 'touch "$HOME/at-work"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo ok',
  };
  const first = edits.script(EDIT, agents, { id: "wf-first" });
  await fileAppears(`${edits.home.directory}/at-work`);
  const second = await edits.script(EDIT, { editor: "echo ok" }, { id: "wf-second" });
  expect(second.exitCode).toBe(1);
  expect(errorOf(second.stderr).message).toContain(
    `workflow repo edit lock contended: another edit run holds ${edits.repo.path} (run wf-first)`,
  );
  await writeFile(`${edits.home.directory}/go`, "");
  expect((await first).exitCode).toBe(0);
  const third = await edits.script(EDIT, { editor: "echo ok" }, { id: "wf-third" });
  expect(third.exitCode).toBe(0);
});

test("a resumed run makes no edit twice, and drops those that its script no longer makes (D7)", async () => {
  await using edits = await editHome();
  const agents = { editor: 'echo ran >> "$HOME/ledger"; cat >> a.txt; echo >> a.txt; echo ok' };
  const source = (prompt: string) =>
    `await agent("kept", { mode: "edit", provider: "editor" }); return await agent("${prompt}", { mode: "edit", provider: "editor" });`;
  await edits.script(source("old"), agents);
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nkept\nold\n");
  const again = await edits.script(source("old"), agents);
  expect(again.exitCode).toBe(0);
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nkept\nold\n");
  await edits.script(source("new"), agents);
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nkept\nnew\n");
  const ledger = await Bun.file(`${edits.home.directory}/ledger`).text();
  expect(ledger.trim().split("\n")).toHaveLength(3);
  await edits.json("workflow", "revert", "wf-test");
  expect(await edits.status()).toBe("");
});
