/** A repository of a test's own as the analyses look at it: real git, a real index. */
import type { Clock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { type RepoView, repoView } from "../../src/repo/analysis/view.ts";
import { currentFiles } from "../../src/repo/files/current-files.ts";
import { indexedTree } from "../../src/repo/files/indexed-tree.ts";
import { openIndex } from "../../src/repo/history/present-index.ts";
import { findRepository } from "../../src/repo/identity.ts";
import { indexRepository } from "../../src/repo/index-repository.ts";
import { readWorkingTree } from "../../src/repo/working-tree.ts";
import { GIT_VARIABLES, type TestRepository } from "./repository.ts";

/** A clock that stands still. @param seconds since 1970. */
export function clockAt(seconds: number): Clock {
  const now = () => new Date(seconds * 1000);
  return { now, iso: () => now().toISOString(), monotonicMs: () => 0 };
}

/** @param now seconds since 1970; two months after the first commits of a test repository without. */
export async function withView<T>(
  repo: TestRepository,
  work: (view: RepoView) => T,
  now = Date.UTC(2026, 10, 1) / 1000,
): Promise<T> {
  const git = createGit(GIT_VARIABLES);
  const repository = await findRepository(git, repo.path, repo.join(".home"));
  await indexRepository({ git, clock: clockAt(now) }, repository);
  const { changes } = await readWorkingTree(git, repository.root);
  const index = await openIndex(repository);
  if (index === undefined) throw new Error("no index");
  try {
    const files = await currentFiles(index, indexedTree(index), repository.root, changes);
    return work(repoView({ index, files, now }));
  } finally {
    index.close();
  }
}
