/** A repository as one command sees it, its index brought up to date where that is cheap. */
import { counted } from "../lib/counted.ts";
import { PalliumError } from "../lib/errors.ts";
import { isFile } from "../platform/files.ts";
import { type Artifact, emptyArtifact } from "../platform/sqlite/artifact.ts";
import { type IndexedTree, indexedTree } from "./files/indexed-tree.ts";
import { type IndexState, indexPath, indexState, openIndex } from "./history/present-index.ts";
import { INDEX_FORMAT } from "./history/schema.ts";
import { findRepository, findUsualRepository, type Repository } from "./identity.ts";
import type { RepoPowers } from "./powers.ts";
import { readWorkingTree, type WorkingTree } from "./working-tree.ts";

/** So many commits are taken in within the patience of somebody who asked something else. */
const CHEAP_COMMITS = 1000;
/** What keeps an index from being brought up to date, and does not keep it from being read. */
const TOLERATED = ["permission_denied", "disk_full", "io_failed"];

/** An index that was opened, before it is known what the working tree holds. */
export interface OpenedIndex {
  readonly repository: Repository;
  readonly index: Artifact;
  /** The files that it holds. */
  readonly indexed: IndexedTree;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Starts what only needs an index. */
export type Begin<Begun> = (opened: OpenedIndex) => Promise<Begun>;

/** What one command sees; closed with `using`. */
export interface OpenRepository<Begun = unknown> extends OpenedIndex, Disposable {
  readonly working: WorkingTree;
  /** Holds nothing while the repository has not been indexed. */
  readonly index: Artifact;
  /** What the index holds; `undefined` while the repository has not been indexed. */
  readonly state: IndexState | undefined;
  /** How what was begun with this very index ended. */
  readonly begun?: PromiseSettledResult<Begun>;
}

/**
 * @param notice is told when the index was brought up to date, or why it was not.
 * @param begin starts what only needs an index, while git still looks at the working tree.
 * @throws PalliumError `not_a_repository`, `bare_repository`, `git_missing`, `git_failed`.
 */
export async function openRepository<Begun = never>(
  powers: RepoPowers,
  cwd: string,
  notice: (line: string) => void,
  begin?: Begin<Begun>,
): Promise<OpenRepository<Begun>> {
  const now = powers.clock.now().getTime() / 1000;
  const reading = readWorkingTree(powers.git, cwd);
  const [found, read] = await Promise.allSettled([open(powers, cwd, now, begin), reading]);
  if (found.status === "rejected") throw found.reason;
  const { repository, kept } = found.value;
  if (read.status === "rejected") {
    await kept?.close();
    // Tells what is the matter with a folder in which git refuses to work.
    await findRepository(powers.git, cwd, powers.home);
    throw read.reason;
  }
  const working = read.value;
  const present = await upToDate(powers, repository, kept, working.head, notice);
  const index = present?.index ?? emptyArtifact(INDEX_FORMAT);
  const begun = await present?.beginning;
  return {
    repository,
    working,
    index,
    indexed: present?.indexed ?? indexedTree(index),
    state: present?.state,
    now,
    ...(begun && { begun }),
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
interface Kept<Begun> {
  readonly index: Artifact;
  readonly state: IndexState | undefined;
  readonly indexed: IndexedTree;
  /** What was begun with it. */
  readonly beginning?: Promise<PromiseSettledResult<Begun>>;
  /** Once what was begun has ended. */
  close(): Promise<void>;
}

/** What can be read before it is known what the working tree holds. */
async function open<Begun>(
  { git, home }: RepoPowers,
  cwd: string,
  now: number,
  begin?: Begin<Begun>,
): Promise<{ readonly repository: Repository; readonly kept: Kept<Begun> | undefined }> {
  const repository =
    (await findUsualRepository(cwd, home)) ?? (await findRepository(git, cwd, home));
  const kept = await openKept(repository, begin && ((opened) => begin({ ...opened, now })));
  return { repository, kept };
}

async function openKept<Begun>(
  repository: Repository,
  begin?: (opened: Omit<OpenedIndex, "now">) => Promise<Begun>,
): Promise<Kept<Begun> | undefined> {
  const index = await openIndex(repository);
  if (index === undefined) return undefined;
  try {
    const state = indexState(index);
    const indexed = indexedTree(index);
    const beginning = begin && settled(begin({ repository, index, indexed }));
    return {
      index,
      state,
      indexed,
      ...(beginning && { beginning }),
      async close() {
        await beginning;
        index.close();
      },
    };
  } catch (error) {
    index.close();
    throw error;
  }
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

async function upToDate<Begun>(
  powers: RepoPowers,
  repository: Repository,
  kept: Kept<Begun> | undefined,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Kept<Begun> | undefined> {
  if (kept === undefined) return madeAnew(powers, repository, head, notice);
  try {
    if (head === undefined || kept.state?.head === head) return kept;
    if (!(await isUpdated(powers, repository, notice))) return kept;
  } catch (error) {
    await kept.close();
    throw error;
  }
  await kept.close();
  return openKept(repository);
}

/** One that another version wrote, or that was damaged, is made anew; where there was none is none. */
async function madeAnew<Begun>(
  powers: RepoPowers,
  repository: Repository,
  head: string | undefined,
  notice: (line: string) => void,
): Promise<Kept<Begun> | undefined> {
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
