/** What a person is told of a run's edits: where they went, why not, and what to do. */
import { expect, test } from "bun:test";
import { editHome } from "../support/edit-runs.ts";
import { errorOf } from "../support/workflow.ts";

const EDIT = `await agent("edit", { mode: "edit", provider: "editor" });`;
const EDITOR = "echo four >> a.txt; echo ok";
const APPLY = "pallium workflow apply wf-test";

test("that they were applied, and how to take them back", async () => {
  await using edits = await editHome();
  const { stderr } = await edits.script(EDIT, { editor: EDITOR });
  expect(stderr).toContain(
    "1 edit applied; take back what the run applied: pallium workflow revert wf-test\n",
  );
  const again = await edits.script(EDIT, { editor: EDITOR });
  expect(again.stderr).not.toContain("applied");
});

test("that they are kept where the run did not complete, or a call of a strict one failed", async () => {
  await using edits = await editHome();
  const agents = { editor: EDITOR };
  const thrown = await edits.script(`${EDIT} throw new Error("no");`, agents);
  const kept = (why: string) =>
    `1 edit kept and not applied, since ${why}; apply all the same: ${APPLY}\n`;
  expect(thrown.stderr).toContain(kept("the run did not complete"));
  const caught = `${EDIT} await agent("x", { provider: "none" }).catch(() => {});`;
  const strict = await edits.script(caught, agents, { flags: ["--strict"] });
  expect(strict.stderr).toContain(kept("a call failed"));
  expect(await edits.status()).toBe("");
  await edits.json("workflow", "apply", "wf-test");
  expect(await edits.status()).toBe(" M a.txt");
});

test("what to do where the checkout is in the way", async () => {
  await using edits = await editHome();
  const conflict = `sed -i s/three/3/ a.txt; sed -i s/three/III/ ${edits.repo.join("a.txt")}; echo ok`;
  const { stderr } = await edits.script(EDIT, { editor: conflict });
  const { code, hints } = errorOf(stderr);
  expect(code).toBe("checkout_conflict");
  expect(hints).toEqual([
    `commit or move away what is in the way, then: ${APPLY}`,
    `or have the edits on a branch: ${APPLY} --branch <name>`,
  ]);
});

test("what to do where something looks like a secret", async () => {
  await using edits = await editHome();
  const editor = `echo 'OPENAI_API_KEY=sk-${"A1b2C3d4".repeat(4)}' > key; echo ok`;
  const { hints } = errorOf((await edits.script(EDIT, { editor })).stderr);
  expect(hints).toEqual([
    "see what was found: pallium workflow secrets wf-test",
    `where it is none: PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH=1 ${APPLY}`,
    "or have it taken out by an edited script: pallium workflow run --id wf-test --script <path>",
  ]);
});

test("that an execution which did not come as far takes nothing back", async () => {
  await using edits = await editHome();
  const agents = { editor: EDITOR, other: "echo o > o.txt; echo ok" };
  const other = `await agent("other", { mode: "edit", provider: "other" });`;
  await edits.script(`${EDIT} ${other}`, agents);
  await edits.script(`${EDIT} throw new Error("no"); ${other}`, agents);
  const { exitCode, stderr } = await edits.home.pallium(["workflow", "apply", "wf-test", "--json"]);
  expect(exitCode).toBe(1);
  expect(errorOf(stderr)).toMatchObject({
    code: "edits_incomplete",
    hints: ["finish it first: pallium workflow resume wf-test"],
  });
  expect(await edits.read("o.txt")).toBe("o\n");
});

test.each(["edit", "test"])(
  "that the settings of the repository changed while a worker in mode %s was at work",
  async (mode) => {
    await using edits = await editHome();
    const source = `return await agent("x", { label: "w", mode: "${mode}", provider: "p" });`;
    const { exitCode, stderr } = await edits.script(source, {
      p: "git config user.name worker; echo ok",
    });
    expect(exitCode).toBe(0);
    const file = edits.repo.join(".git/config");
    expect(stderr).toContain(
      `w: the settings of the repository changed while it worked: ${file}\n`,
    );
    const other = await edits.script(source, { p: "echo other" }, { id: "wf-other" });
    expect(other.stderr).not.toContain("settings");
  },
);

test("in names of files nothing that breaks a line or steers a terminal", async () => {
  const name = "evil\u001b[31m\nerror: none";
  const shown = "evil\\u{1b}[31m\\u{a}error: none";
  await using edits = await editHome({ [name]: "a\n" });
  const theirs = `cd ${edits.repo.path}; for file in evil*; do echo theirs > "$file"; done`;
  const editor = `for file in evil*; do echo ours > "$file"; done; ${theirs}; echo ok`;
  const { stderr } = await edits.script(EDIT, { editor });
  expect(stderr).toContain(`1 file of the checkout changed while it worked: ${shown}\n`);
  expect(errorOf(stderr).message).toContain(`${shown}: it was changed here too`);
});
