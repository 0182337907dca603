/** In which order edits count, and how many working trees those have who only look. */
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { editHome } from "../support/edit-runs.ts";

test("edits count in the order in which they were merged, not in that of the calls (D6)", async () => {
  await using edits = await editHome();
  const { result, snapshot, exitCode } = await edits.script(
    `const rewritten = await pipeline(["item"], () => agent("rewrite", { label: "pipe", mode: "edit", provider: "rewriter" }));
     const extended = await agent("extend", { label: "direct", mode: "edit", provider: "extender" });
     return [...rewritten, extended];`,
    {
      rewriter: "echo rewritten > a.txt; echo ok",
      extender: `[ "$(cat a.txt)" = rewritten ] && echo more >> a.txt && echo ok`,
    },
  );
  expect(exitCode).toBe(0);
  expect(result).toEqual(["ok", "ok"]);
  expect(await edits.read("a.txt")).toBe("rewritten\nmore\n");
  expect(snapshot.agents.map(({ label, apply_state }) => [label, apply_state])).toEqual([
    ["pipe", "applied"],
    ["direct", "applied"],
  ]);
  await edits.json("workflow", "revert", "wf-test");
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\n");
});

test("agents that look at what is staged share one working tree (P7)", async () => {
  await using edits = await editHome({ "sub/a.txt": "one\n", "other/b.txt": "two\n" });
  const { result, exitCode } = await edits.script(
    `await agent("edit", { mode: "edit", provider: "editor", repo: "sub" });
     return await parallel([1, 2, 3, 4, 5, 6], (n) => agent("look " + n, { provider: "looker", repo: n % 2 ? "sub" : "other" }));`,
    {
      editor: "echo more >> a.txt; echo ok",
      looker: `echo here >> "$HOME/readers"; while [ "$(wc -l < "$HOME/readers")" -lt 6 ]; do sleep 0.02; done; git rev-parse --show-toplevel; cat "$(git rev-parse --show-toplevel)/sub/a.txt"`,
    },
  );
  expect(exitCode).toBe(0);
  const [seen] = result as string[];
  expect(seen).toMatch(/\/worktrees\/view-[0-9a-f]+\none\nmore$/);
  expect(result).toEqual(Array(6).fill(seen));
  expect(await readdir(edits.runFile("worktrees"))).toEqual([]);
});

test("an edit that is taken from an earlier execution counts before those that are made anew", async () => {
  await using edits = await editHome();
  const agents = { old: "echo old > old.txt; echo ok", anew: "echo anew > anew.txt; echo ok" };
  const old = `await agent("old", { mode: "edit", provider: "old" });`;
  const anew = `await agent("anew", { mode: "edit", provider: "anew" });`;
  await edits.script(`${old} throw new Error("no");`, agents);
  const { snapshot } = await edits.script(`${anew} ${old} throw new Error("no");`, agents);
  const [first, second] = snapshot.agents.map(({ patch_path }) => patch_path ?? "");
  const { applied } = await edits.json<{ applied: string[] }>("workflow", "apply", "wf-test");
  expect(applied).toEqual([first ?? "", second ?? ""]);
  expect(await readFile(applied[0] ?? "", "utf8")).toContain("+old");
});
