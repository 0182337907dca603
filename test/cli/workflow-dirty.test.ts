/** Edits that begin from what the user has not committed. */
import { expect, test } from "bun:test";
import { type EditHome, editHome } from "../support/edit-runs.ts";

const SOURCE = `return await agent("x", { mode: "edit", provider: "p" });`;
const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "gone.txt": "g\n",
  "staged.txt": "s\n",
  ".gitignore": "ignored.txt\n",
};
const LOOK = "cat a.txt staged.txt new.txt; ls; echo four >> a.txt; echo more >> new.txt";
const DIRTY = " M a.txt\n D gone.txt\nM  staged.txt\n?? new.txt";

async function makeDirty({ repo }: EditHome): Promise<void> {
  await repo.write({ "staged.txt": "S\n" });
  await repo.git("add", "staged.txt");
  await repo.write({
    "a.txt": "ONE\ntwo\nthree\n",
    "gone.txt": null,
    "new.txt": "n\n",
    "ignored.txt": "i\n",
  });
}

test("an agent sees them where that is asked, and they are the user's own after a revert", async () => {
  await using edits = await editHome(FILES);
  await makeDirty(edits);
  expect(await edits.status()).toBe(DIRTY);
  const run = await edits.script(SOURCE, { p: LOOK }, { flags: ["--include-dirty"] });
  expect(run.result).toBe("ONE\ntwo\nthree\nS\nn\na.txt\nnew.txt\nstaged.txt");
  expect(await edits.read("a.txt")).toBe("ONE\ntwo\nthree\nfour\n");
  expect(await edits.read("new.txt")).toBe("n\nmore\n");
  expect(await edits.status()).toBe(DIRTY);
  await edits.json("workflow", "revert", "wf-test");
  expect(await edits.read("a.txt")).toBe("ONE\ntwo\nthree\n");
  expect(await edits.read("new.txt")).toBe("n\n");
  expect(await edits.status()).toBe(DIRTY);
});

test("an agent begins from the commit where nothing is said, and what is not committed stays", async () => {
  await using edits = await editHome(FILES);
  await makeDirty(edits);
  const run = await edits.script(SOURCE, { p: "cat a.txt; ls; echo four >> a.txt" });
  expect(run.result).toBe("one\ntwo\nthree\na.txt\ngone.txt\nstaged.txt");
  expect(await edits.read("a.txt")).toBe("ONE\ntwo\nthree\nfour\n");
  expect(await edits.status()).toBe(DIRTY);
});

test("a resumed run goes on from what they were when it began", async () => {
  await using edits = await editHome(FILES);
  await makeDirty(edits);
  const agents = { p: "echo four >> a.txt; echo ok", q: 'cat a.txt new.txt; exit "$STATUS"' };
  const source = `await agent("x", { mode: "edit", provider: "p" });
    return await agent("y", { mode: "edit", provider: "q" });`;
  const flags = ["--include-dirty"];
  const first = await edits.script(source, agents, { flags, env: { STATUS: "1" } });
  expect(first.exitCode).toBe(1);
  await edits.repo.write({ "new.txt": "other\n" });
  const second = await edits.script(source, agents, { env: { STATUS: "0" } });
  expect(second.result).toBe("ONE\ntwo\nthree\nfour\nn");
  expect(await edits.read("new.txt")).toBe("other\n");
  expect(await edits.read("a.txt")).toBe("ONE\ntwo\nthree\nfour\n");
});
