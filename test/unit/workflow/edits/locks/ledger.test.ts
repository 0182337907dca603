import { expect, test } from "bun:test";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { ledgerFolder } from "../../../../../src/workflow/edits/locks/ledger-folder.ts";
import { runChild } from "../../../../support/child.ts";
import { CHILD, commonDirOf, ledgerOf } from "../../../../support/edits.ts";
import { testRepository } from "../../../../support/repository.ts";

test("it lies in the git directory, for its owner alone, and git does not mind", async () => {
  await using repository = await testRepository();
  await repository.commit("first", { "a.txt": "a\n" });
  (await ledgerOf(repository)).close();
  const folder = ledgerFolder(commonDirOf(repository));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, "edits.sqlite"))).mode & 0o777).toBe(0o600);
  expect(await repository.git("status", "--porcelain")).toBe("");
  await repository.git("fsck", "--strict");
});

test.each(["without a ledger", "with one", "with one that may be read"])(
  "a git directory that may not be written is refused: %s",
  async (kind) => {
    await using repository = await testRepository();
    const commonDir = commonDirOf(repository);
    await chmod(repository.path, 0o755);
    if (kind !== "without a ledger") (await ledgerOf(repository)).close();
    if (kind === "with one that may be read") {
      await chmod(ledgerFolder(commonDir), 0o755);
      await chmod(join(ledgerFolder(commonDir), "edits.sqlite"), 0o644);
    }
    const refused = await runChild([process.execPath, CHILD, "unprivileged", commonDir]);
    expect(refused).toMatchObject({
      code: "repository_readonly",
      message: `the git directory of the repository cannot be written: ${commonDir}`,
    });
  },
);
