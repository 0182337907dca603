/** Folders of the checkout that agents in working trees of their own see too. */
import { expect, test } from "bun:test";
import { editHome } from "../support/edit-runs.ts";
import { errorOf } from "../support/workflow.ts";

const FILES = { "a.txt": "a\n", ".gitignore": "deps/\n" };
const LINKS = ["--link", "deps,sub/env/,missing"];

test("are seen by agents and checks, are no work of theirs, and stay", async () => {
  await using edits = await editHome(FILES);
  await edits.repo.write({ "deps/m.js": "m\n", "sub/env/e": "e\n" });
  const { result, snapshot } = await edits.script(
    `const seen = await agent("x", { mode: "edit", provider: "p" });
     return [seen, (await check("cat deps/m.js sub/env/e a.txt")).output_tail];`,
    {
      p: "cat deps/m.js sub/env/e; echo b >> a.txt; git add -A; git -c user.name=w -c user.email=w commit -qm x",
    },
    { flags: LINKS },
  );
  expect(result).toEqual(["m\ne", "m\ne\na\nb\n"]);
  expect(snapshot.agents[0]?.receipt).toMatchObject({
    files: [{ path: "a.txt", change: "modified" }],
    skipped: [],
  });
  expect(await edits.status()).toBe(" M a.txt\n?? sub/");
  expect(await edits.read("deps/m.js")).toBe("m\n");
});

test("are given to the agents of a resume too", async () => {
  await using edits = await editHome(FILES);
  await edits.repo.write({ "deps/m.js": "m\n" });
  const source = `return await agent("x", { mode: "edit", provider: "p" });`;
  const agents = { p: 'cat deps/m.js; exit "$STATUS"' };
  await edits.script(source, agents, { flags: LINKS, env: { STATUS: "1" } });
  const { result } = await edits.script(source, agents, { env: { STATUS: "0" } });
  expect(result).toBe("m");
});

test.each(["../out", "/etc", ".git/hooks", "a/../../b"])(
  "cannot lie outside of the checkout: %s",
  async (link) => {
    await using edits = await editHome(FILES);
    const { exitCode, stderr } = await edits.script("return 1;", {}, { flags: ["--link", link] });
    expect(exitCode).not.toBe(0);
    expect(errorOf(stderr).code).toBe("bad_link");
  },
);
