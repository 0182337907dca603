/** `workflow diff`: what the agents of a run changed, for git, for a terminal and as JSON. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { PALLIUM } from "../support/cli.ts";
import { bytes, changes, diff, ONE_EDIT, screen } from "../support/diff-runs.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { testRepository } from "../support/repository.ts";
import { plain } from "../support/terminal.ts";

const ESCAPE = String.fromCharCode(27);

/** What the files of the test's repository are, with everything new in it. */
async function treeOf(repo: Pick<EditHome["repo"], "git">): Promise<string> {
  await repo.git("add", "-A");
  return (await repo.git("write-tree")).trim();
}

const STRANGE_FILES = {
  "with blanks.txt": "one\ntwo\n",
  'say "hi".txt': "one\n",
  "line\nbreak.txt": "one\n",
  "日本.txt": "一\n",
  "windows.txt": "one\r\ntwo\r\n",
  "unended.txt": "one\ntwo",
  "moved.txt": "one\ntwo\nthree\nfour\nfive\n",
  "script.sh": "echo\n",
  "becomes-link": "a file\n",
  "gone.txt": "gone\n",
  binary: new Uint8Array([0, 1, 2, 255]),
  "--- a/x": "name of a header\n",
};

/** Changes each of them in another way. */
const STRANGE_WORK = [
  "echo three >> 'with blanks.txt'",
  `echo two >> 'say "hi".txt'`,
  `printf 'two\\n' >> "$(printf 'line\\nbreak.txt')"`,
  "echo 二 >> 日本.txt",
  "printf 'three\\r\\n' >> windows.txt",
  "printf '\\nthree' >> unended.txt",
  "git mv moved.txt 'moved away.txt' && echo six >> 'moved away.txt'",
  "chmod +x script.sh",
  "rm becomes-link && ln -s script.sh becomes-link",
  "rm gone.txt",
  "printf '\\000\\003\\377' > binary",
  "echo '@@ -1 +1 @@' >> '--- a/x'",
  `echo x > "$(printf 'caf\\351.txt')"`,
  "printf 'caf\\351\\n' > latin1.txt",
  "printf '\\033]0;title\\007\\033[2Jcleared\\n\\342\\200\\256reversed\\n' > escapes.txt",
  "printf '' > empty.txt",
  "echo ok",
].join("\n");

describe("the patch that a pipe gets", () => {
  test("brings a fresh checkout to where the agents came, whatever files hold and are called", async () => {
    await using edits = await editHome(STRANGE_FILES);
    await using fresh = await testRepository();
    await fresh.commit("base", STRANGE_FILES);
    await edits.script(ONE_EDIT, { editor: STRANGE_WORK });
    const patch = await bytes(edits);
    expect(Buffer.from(patch).toString("latin1")).toContain("\u001b[2Jcleared");
    await Bun.write(fresh.join(".git/its.patch"), patch);
    await fresh.git("apply", ".git/its.patch");
    expect(await treeOf(fresh)).toBe(await treeOf(edits.repo));
    const listed = await changes(edits);
    expect(outputs["workflow.diff"].safeParse(listed).error?.issues ?? []).toEqual([]);
    const byPath = new Map(listed[0]?.files.map((file) => [file.path, file]));
    expect(byPath.get("moved away.txt")).toMatchObject({
      change: "renamed",
      old_path: "moved.txt",
      additions: 1,
      deletions: 0,
    });
    expect(byPath.get("script.sh")).toMatchObject({ old_mode: "100644", new_mode: "100755" });
    expect(byPath.get("binary")).toMatchObject({ binary: true, change: "modified" });
    expect(byPath.get("line\nbreak.txt")).toMatchObject({ additions: 1 });
    expect(byPath.get('"caf\\351.txt"')).toMatchObject({ change: "added" });
    expect(byPath.get("latin1.txt")).toMatchObject({ patch_omitted: "not_utf8" });
    expect(byPath.get("gone.txt")).toMatchObject({ change: "deleted", deletions: 1 });
  });

  test("is what all agents came to together, and one agent's with --call", async () => {
    await using edits = await editHome();
    await edits.script(
      `await agent("e", { label: "first", mode: "edit", provider: "first" });
       await agent("e", { label: "second", mode: "edit", provider: "second" });`,
      { first: "echo four >> a.txt; echo ok", second: "sed -i 's/four/4/' a.txt; echo ok" },
    );
    const added = (text: string) => text.split("\n").filter((line) => /^[+-][^+-]/.test(line));
    expect(added((await diff(edits)).stdout)).toEqual(["+4"]);
    expect(added((await diff(edits, "--call", "first")).stdout)).toEqual(["+four"]);
    const [all] = await changes(edits);
    expect(all?.calls.map(({ label }) => label)).toEqual(["first", "second"]);
    const second = all?.calls[1];
    expect(added((await diff(edits, "--call", second?.id ?? "")).stdout)).toEqual(["-four", "+4"]);
    const events = await edits.home.pallium(["workflow", "events", "wf-test", "--json"]);
    const settled = events.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { key } = settled.find((one) => one.call_id === second?.id && one.type === "settled");
    expect(added((await diff(edits, "--call", key)).stdout)).toEqual(["-four", "+4"]);
  });

  test("ends when nobody reads it any more", async () => {
    await using edits = await editHome();
    await edits.script(ONE_EDIT, { editor: "seq 1000000 > many.txt; echo ok" });
    const line = PALLIUM.map((word) => `'${word}'`).join(" ");
    const child = Bun.spawn(
      ["bash", "-c", `${line} workflow diff wf-test | head -n 1; echo "\${PIPESTATUS[0]}"`],
      {
        env: { ...edits.home.env },
      },
    );
    expect(await child.stdout.text()).toBe("diff --git a/many.txt b/many.txt\n0\n");
  });
});

describe("a terminal", () => {
  test("is shown what files hold and obeys none of it", async () => {
    await using edits = await editHome(STRANGE_FILES);
    await edits.script(ONE_EDIT, { editor: STRANGE_WORK });
    for (const view of [[], ["--side-by-side"], ["--stat"]]) {
      const shown = plain(await screen(edits, 100, ...view));
      expect(shown).not.toContain(ESCAPE);
      expect(shown).not.toContain("\u0007");
      expect(shown).not.toContain("\u202e");
      expect(shown).toContain("moved away.txt");
    }
    const shown = plain(await screen(edits, 100));
    expect(shown).toContain("+\\u{1b}]0;title\\u{7}\\u{1b}[2Jcleared\n+\\u{202e}reversed\n");
    expect(shown).toContain("+caf\\xe9\n");
    expect(shown).toContain("+three\\r\n");
    expect(shown).toContain("Binary content, not shown here\n");
    expect(shown).not.toContain("literal ");
  });

  test("gets colours unless they are refused, a pipe when they are asked for", async () => {
    await using edits = await editHome();
    await edits.script(ONE_EDIT, { editor: "echo four >> a.txt; echo ok" });
    expect(await screen(edits, 80)).toContain(`${ESCAPE}[32m+four${ESCAPE}[39m\n`);
    expect(await screen(edits, 80, "--no-color")).not.toContain(ESCAPE);
    expect(await screen(edits, 80, "--color", "--no-color")).not.toContain(ESCAPE);
    expect((await diff(edits, "--color")).stdout).toContain(`${ESCAPE}[32m+four${ESCAPE}[39m\n`);
    expect((await diff(edits)).stdout).not.toContain(ESCAPE);
  });

  test.each([44, 80, 200])("of %d columns is never overrun by two columns", async (columns) => {
    await using edits = await editHome({ "a.txt": `${"long words ".repeat(30)}\n短い\n` });
    await edits.script(ONE_EDIT, {
      editor:
        "sed -i 's/words/WORDS/; s/短い/とても長い長い長い長い長い長い長い長い行/' a.txt; echo ok",
    });
    const shown = plain(await screen(edits, columns, "--side-by-side"))
      .trimEnd()
      .split("\n");
    expect(Math.max(...shown.slice(1).map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(
      columns,
    );
    const rows = shown.filter((line) => line.includes("│"));
    const places = rows.map((line) => Bun.stringWidth(line.slice(0, line.indexOf("│"))));
    expect(new Set(places).size).toBe(1);
  });
});

test("--stat says how much of which files changed", async () => {
  await using edits = await editHome({ "a.txt": "one\ntwo\n", run: "echo\n" });
  await edits.script(ONE_EDIT, { editor: "echo 2 > a.txt; chmod +x run; echo new > new; echo ok" });
  const { stdout } = await diff(edits, "--stat");
  expect(stdout.split("\n").slice(1)).toEqual([
    "File   Added  Removed  Change",
    "a.txt      1        2  modified",
    "new        1        0  added",
    "run        0        0  modified, not executable → executable",
    "3 files changed, 2 lines added, 2 removed",
    "",
  ]);
  const [repo] = await changes(edits, "--stat");
  expect(repo?.files.map(({ path, patch }) => [path, patch])).toEqual([
    ["a.txt", undefined],
    ["new", undefined],
    ["run", undefined],
  ]);
});
