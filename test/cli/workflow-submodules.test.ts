/** Runs in a repository that has another one inside. */
import { expect, test } from "bun:test";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { type TestRepository, testRepository } from "../support/repository.ts";

async function withSubmodule(inner: TestRepository): Promise<EditHome> {
  await inner.commit("Begin", { "i.txt": "i\n" });
  const edits = await editHome();
  const allowed = ["-c", "protocol.file.allow=always"];
  await edits.repo.git(...allowed, "submodule", "--quiet", "add", inner.path, "sub");
  await edits.repo.commit("Add a submodule");
  return edits;
}

test("what a test leaves in it is no change of the checkout", async () => {
  await using inner = await testRepository();
  await using edits = await withSubmodule(inner);
  const { exitCode } = await edits.script(
    `return await agent("x", { mode: "test", provider: "p" });`,
    {
      p: "mkdir sub/coverage; echo ok",
    },
  );
  expect(exitCode).toBe(0);
});

test("one that the user changed stays one for an agent that begins from that, and is not written into", async () => {
  await using inner = await testRepository();
  await using edits = await withSubmodule(inner);
  await edits.repo.write({ "sub/i.txt": "changed\n" });
  const { stderr, result } = await edits.script(
    `return await agent("x", { label: "x", mode: "edit", provider: "p" });`,
    { p: "git ls-files sub; echo new > sub/new.txt; echo two >> a.txt" },
    { flags: ["--include-dirty"] },
  );
  expect(result).toBe("sub");
  expect(stderr).toContain("x: sub is no file that a patch can hold; it is left out");
  expect(await edits.read("sub/new.txt")).toBeUndefined();
  expect(await edits.status()).toBe(" M a.txt\n m sub");
});
