/** A repository as one command sees it, its index brought up to date where that is cheap. */
import { counted } from "../lib/counted.ts";
import { PalliumError } from "../lib/errors.ts";
import { isFile } from "../platform/files.ts";
import { type Artifact, emptyArtifact } from "../platform/sqlite/artifact.ts";
import { type IndexState, indexPath, indexState, openIndex } from "./history/index-history.ts";
import { INDEX_FORMAT } from "./history/schema.ts";
import { findRepository, type Repository } from "./identity.ts";
import { indexRepository } from "./index-repository.ts";
import type { RepoPowers } from "./powers.ts";
import { readWorkingTree, type WorkingTree } from "./working-tree.ts";

/** So many commits are taken in within the patience of somebody who asked something else. */
const CHEAP_COMMITS = 1000;
/** What keeps an index from being brought up to date, and does not keep it from being read. */
const TOLERATED = ["permission_denied", "disk_full", "io_failed"];

/** What one command sees; closed with `using`. */
export interface OpenRepository extends Disposable {
  readonly repository: Repository;
  readonly working: WorkingTree;
  /** Holds nothing while the repository has not been indexed. */
  readonly index: Artifact;
  /** What the index holds; `undefined` while the repository has not been indexed. */
  readonly state: IndexState | undefined;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * @param notice is told when the index was brought up to date, or why it was not.
 * @throws PalliumError `not_a_repository`, `bare_repository`, `git_missing`, `git_failed`.
 */
export async function openRepository(
  powers: RepoPowers,
  cwd: string,
  notice: (line: string) => void,
): Promise<OpenRepository> {
  const [found, read] = await Promise.allSettled([
    findRepository(powers.git, cwd, powers.home),
    readWorkingTree(powers.git, cwd),
  ]);
  if (found.status === "rejected") throw found.reason;
  if (read.status === "rejected") throw read.reason;
  const [repository, working] = [found.value, read.value];
  const present = await openUpToDate(powers, repository, working.head, notice);
  const index = present ?? emptyArtifact(INDEX_FORMAT);
  return {
    repository,
    working,
    index,
    state: present && indexState(present),
    now: powers.clock.now().getTime() / 1000,
    [Symbol.dispose]: () => index.close(),
  };
}

/** @throws PalliumError `not_indexed` */
export function assertIndexed({ state, working }: OpenRepository): void {
  if (state !== undefined) return;
  throw new PalliumError(
    "not_indexed",
    "repo has not been indexed yet: run `pallium index` first",
    {
      hints: [
        working.head === undefined ? "make a first commit, then: pallium index" : "pallium index",
      ],
    },
  );
}

async function openUpToDate(
  powers: RepoPowers,
  repository: Repository,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Artifact | undefined> {
  const index = await openIndex(repository);
  if (index === undefined) return openMadeAnew(powers, repository, head, notice);
  try {
    if (head === undefined || indexState(index)?.head === head) return index;
    if (!(await isUpdated(powers, repository, notice))) return index;
  } catch (error) {
    index.close();
    throw error;
  }
  index.close();
  return openIndex(repository);
}

/** One that another version wrote, or that was damaged, is made anew; where there was none is none. */
async function openMadeAnew(
  powers: RepoPowers,
  repository: Repository,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Artifact | undefined> {
  if (head === undefined || !(await isFile(indexPath(repository)))) return undefined;
  if (!(await isUpdated(powers, repository, notice))) return undefined;
  notice("the index could not be used and was made anew");
  return openIndex(repository);
}

async function isUpdated(
  powers: RepoPowers,
  repository: Repository,
  notice: (line: string) => void,
): Promise<boolean> {
  try {
    const outcome = await indexRepository(powers, repository, { atMost: CHEAP_COMMITS });
    if (outcome.kind === "behind") {
      notice(
        `the index lacks ${outcome.commits} commits or more; bring it up to date with: pallium index`,
      );
      return false;
    }
    if (outcome.kind === "updated") {
      notice(
        `index brought up to date: ${counted(outcome.added, "commit")} in, ${outcome.removed} out`,
      );
    }
    return true;
  } catch (error) {
    if (!(error instanceof PalliumError && TOLERATED.includes(error.code))) throw error;
    notice(`the index is out of date, and could not be written: ${error.message}`);
    return false;
  }
}
