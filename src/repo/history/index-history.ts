/** Brings the index of a repository up to date with its checked-out commit. */
import type { Git } from "../../platform/git/runner.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { Repository } from "../identity.ts";
import { mailmapState } from "./mailmap.ts";
import { startNewestFirst } from "./newest-first.ts";
import { openIndex } from "./present-index.ts";
import { between, checkedOut, countUpTo, sizeOf } from "./range.ts";
import { isMissingObject, isPartialClone } from "./read-log.ts";
import {
  type Beginning,
  type IndexOptions,
  type IndexPowers,
  type IndexRun,
  MOST_UPDATED,
  updateIndex,
  writeIndex,
} from "./write-index.ts";

/** What became of the index. */
export type IndexOutcome =
  | { readonly kind: "current" }
  | { readonly kind: "built" }
  | { readonly kind: "updated"; readonly added: number; readonly removed: number }
  /** More commits than `atMost` lie between it and the checked-out one; counted no further. */
  | { readonly kind: "behind"; readonly commits: number };

/**
 * Reads the history that the index lacks, or all of it. The data folder must exist.
 * @throws PalliumError `no_commits`, `git_failed`, `disk_full`, `permission_denied`; what `signal`
 *   was aborted with. The index is then as it was.
 */
export async function indexHistory(
  powers: IndexPowers,
  repository: Repository,
  options: IndexOptions,
): Promise<IndexOutcome> {
  using present = options.full === true ? undefined : await openIndex(repository);
  const [head, mailmap] = await Promise.all([
    checkedOut(powers.git, repository.root),
    mailmapState(repository.root),
  ]);
  const state = present && presentState(present);
  const known = state?.mailmap === mailmap ? state : undefined;
  if (known?.head === head.commit) return { kind: "current" };
  const isKnown = present !== undefined && known !== undefined;
  const beginning = isKnown
    ? beginFrom(powers.git, repository, options, {
        index: present,
        from: known.head,
        to: head.commit,
      })
    : undefined;
  const isPartial = await isPartialClone(powers.git, repository.commonDir);
  const run = { powers, repository, options, head, mailmap, isPartial, exactRenames: isPartial };
  try {
    return await bringUpToDate(run, beginning);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return await bringUpToDate({ ...run, exactRenames: true }, beginning);
  }
}

interface Way {
  readonly index: Reader;
  readonly from: string;
  readonly to: string;
}

/** Begins to find out which commits lie in between. */
function beginFrom(
  git: Git,
  { root }: Repository,
  { atMost = MOST_UPDATED, signal }: IndexOptions,
  { index, from, to }: Way,
): Beginning {
  const options = { cwd: root, ...(signal === undefined ? {} : { signal }) };
  const newestFirst = startNewestFirst(git, to, options);
  // One more than is taken in tells that there are too many.
  const range = between(git, root, { from, to, most: atMost + 1 });
  range.catch(() => {}); // told to who awaits it
  return { index, from, range, newestFirst };
}

async function bringUpToDate(
  run: IndexRun,
  beginning: Beginning | undefined,
): Promise<IndexOutcome> {
  const { atMost } = run.options;
  if (atMost !== undefined) {
    const range = await beginning?.range;
    const commits = range === undefined ? await countAll(run, atMost + 1) : sizeOf(range);
    if (commits > atMost) return { kind: "behind", commits };
  }
  const range = beginning && (await updateIndex(run, beginning));
  if (range !== undefined) {
    return { kind: "updated", added: range.added.length, removed: range.removed.length };
  }
  await writeIndex(run);
  return { kind: "built" };
}

function countAll({ powers, repository, head }: IndexRun, most: number): Promise<number> {
  return countUpTo(powers.git, repository.root, [head.commit], most);
}

/** What an index has to be of to be brought up to date. */
interface PresentState {
  readonly head: string;
  readonly mailmap: string;
}

function presentState(index: Reader): PresentState | undefined {
  return index.get<PresentState>("SELECT head, mailmap FROM state");
}
