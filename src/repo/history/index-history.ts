/** Brings the index of a repository up to date with its checked-out commit. */
import type { Repository } from "../identity.ts";
import { mailmapState } from "./mailmap.ts";
import { openIndex } from "./present-index.ts";
import { between, checkedOut, countUpTo, type Range } from "./range.ts";
import { isMissingObject, isPartialClone } from "./read-log.ts";
import {
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
  const [head, mailmap, present] = await Promise.all([
    checkedOut(powers.git, repository.root),
    mailmapState(repository.root),
    options.full === true ? undefined : presentState(repository),
  ]);
  const known = present?.mailmap === mailmap ? present : undefined;
  if (known?.head === head.commit) return { kind: "current" };
  // One more than is taken in tells that there are too many.
  const most = (options.atMost ?? MOST_UPDATED) + 1;
  const [range, isPartial] = await Promise.all([
    known && between(powers.git, repository.root, { from: known.head, to: head.commit, most }),
    isPartialClone(powers.git, repository.commonDir),
  ]);
  const run = { powers, repository, options, head, mailmap, isPartial, exactRenames: isPartial };
  try {
    return await bringUpToDate(run, range);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return await bringUpToDate({ ...run, exactRenames: true }, range);
  }
}

async function bringUpToDate(run: IndexRun, range: Range | undefined): Promise<IndexOutcome> {
  const { atMost } = run.options;
  if (range === undefined) {
    const commits = atMost === undefined ? 0 : await countAll(run, atMost + 1);
    return commits > (atMost ?? 0) ? { kind: "behind", commits } : build(run);
  }
  const commits = range.added.length + range.removed.length;
  if (atMost !== undefined && commits > atMost) return { kind: "behind", commits };
  if (commits > MOST_UPDATED) return build(run);
  if (!(await updateIndex(run, range))) return build(run);
  return { kind: "updated", added: range.added.length, removed: range.removed.length };
}

async function build(run: IndexRun): Promise<IndexOutcome> {
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

async function presentState(repository: Repository): Promise<PresentState | undefined> {
  using index = await openIndex(repository);
  return index?.get<PresentState>("SELECT head, mailmap FROM state");
}
