/** A repository as one command sees it, its index brought up to date where that is cheap. */
import { counted } from "../lib/counted.ts";
import { PalliumError } from "../lib/errors.ts";
import { isFile } from "../platform/files.ts";
import { type Artifact, emptyArtifact } from "../platform/sqlite/artifact.ts";
import { type IndexedTree, indexedTree } from "./files/indexed-tree.ts";
import { type IndexState, indexPath, indexState, openIndex } from "./history/index-history.ts";
import { INDEX_FORMAT } from "./history/schema.ts";
import { findRepository, type Repository } from "./identity.ts";
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
  /** The files that it holds. */
  readonly indexed: IndexedTree;
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
  const reading = readWorkingTree(powers.git, cwd);
  const [found, read] = await Promise.allSettled([open(powers, cwd), reading]);
  if (found.status === "rejected") throw found.reason;
  const { repository, kept } = found.value;
  if (read.status === "rejected") {
    kept?.index.close();
    throw read.reason;
  }
  const working = read.value;
  const present = await upToDate(powers, repository, kept, working.head, notice);
  const index = present?.index ?? emptyArtifact(INDEX_FORMAT);
  return {
    repository,
    working,
    index,
    indexed: present?.files ?? indexedTree(index),
    state: present?.state,
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

/** An index, and what every question asks of it. */
interface Kept {
  readonly index: Artifact;
  readonly state: IndexState | undefined;
  readonly files: IndexedTree;
}

/** What can be read before it is known what the working tree holds. */
async function open(
  { git, home }: RepoPowers,
  cwd: string,
): Promise<{ readonly repository: Repository; readonly kept: Kept | undefined }> {
  const repository = await findRepository(git, cwd, home);
  return { repository, kept: await openKept(repository) };
}

async function openKept(repository: Repository): Promise<Kept | undefined> {
  const index = await openIndex(repository);
  if (index === undefined) return undefined;
  try {
    return { index, state: indexState(index), files: indexedTree(index) };
  } catch (error) {
    index.close();
    throw error;
  }
}

async function upToDate(
  powers: RepoPowers,
  repository: Repository,
  kept: Kept | undefined,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Kept | undefined> {
  if (kept === undefined) return madeAnew(powers, repository, head, notice);
  try {
    if (head === undefined || kept.state?.head === head) return kept;
    if (!(await isUpdated(powers, repository, notice))) return kept;
  } catch (error) {
    kept.index.close();
    throw error;
  }
  kept.index.close();
  return openKept(repository);
}

/** One that another version wrote, or that was damaged, is made anew; where there was none is none. */
async function madeAnew(
  powers: RepoPowers,
  repository: Repository,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Kept | undefined> {
  if (head === undefined || !(await isFile(indexPath(repository)))) return undefined;
  if (!(await isUpdated(powers, repository, notice))) return undefined;
  notice("the index could not be used and was made anew");
  return openKept(repository);
}

async function isUpdated(
  powers: RepoPowers,
  repository: Repository,
  notice: (line: string) => void,
): Promise<boolean> {
  try {
    const { indexRepository } = await import("./index-repository.ts");
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
