/** Commits are read before somebody takes them, and are his to refuse until the last. */
import { expect, test } from "bun:test";
import { createGit, type Git } from "../../../../src/platform/git/runner.ts";
import { startLog } from "../../../../src/repo/history/read-log.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { GIT_VARIABLES, testRepository } from "../../../support/repository.ts";

test("an interruption counts also when every commit has been read", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "a.ts": "1" });
  await repo.commit("second", { "a.ts": "2" });
  const git = createGit(GIT_VARIABLES);
  const read = Promise.withResolvers<void>();
  const watched: Git = {
    ...git,
    async *stream(args, options) {
      yield* git.stream(args, options);
      if (args[0] === "diff-tree") setImmediate(read.resolve);
    },
  };
  const repository = await findRepository(git, repo.path, repo.join("home"));
  const interruption = new AbortController();
  const hashes = (await repo.git("rev-list", "HEAD")).trim().split("\n");
  await using log = startLog(watched, repository, {
    hashes,
    exactRenames: false,
    signal: interruption.signal,
  });
  await read.promise;
  const seen: string[] = [];
  const delivered = log.deliver(({ message }) => {
    seen.push(message.trim());
    interruption.abort(new Error("interrupted"));
  });
  await expect(delivered).rejects.toThrow("interrupted");
  expect(seen).toContain("second");
});
