/** Brings the index of a repository up to date with its checked-out commit. */
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import type { Git } from "../../platform/git/runner.ts";
import { type Artifact, openArtifact, writeArtifact } from "../../platform/sqlite/artifact.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { Repository } from "../identity.ts";
import { exchangeFor } from "./exchange.ts";
import { mailmapState, mappedContacts } from "./mailmap.ts";
import { noteMovedNames } from "./moved-names.ts";
import { between, checkedOut, countUpTo, type Head, type Range } from "./range.ts";
import {
  isMissingObject,
  isPartialClone,
  listCommits,
  type NamedCommits,
  readLog,
  shallowBoundary,
} from "./read-log.ts";
import { removeCommits, removeUntouched } from "./rewind.ts";
import { FIRST_COMMIT_ID, INDEX_FORMAT, INDEX_INDICES } from "./schema.ts";
import { filesSeenBack, filesSeenForward, type TouchedFiles } from "./touched-files.ts";
import { createHistoryWriter, type HistoryWriterOptions } from "./writer.ts";

export interface IndexPowers {
  readonly git: Git;
  readonly clock: Clock;
}

export interface IndexOptions {
  /** Whether to read the whole history again, whatever is there. */
  readonly full?: boolean;
  /** The most commits to take in or out; with more of them nothing is done. */
  readonly atMost?: number;
  readonly signal?: AbortSignal;
  /** Called with the number of commits read so far. */
  readonly onProgress?: (commits: number) => void;
  /** Writes what is known of the files of a commit. */
  readonly files: FileWriter;
}

/** Writes into the same index what is known of the files of a commit. */
export interface FileWriter {
  /**
   * Does what can be done while the history is written.
   * @returns what is left to do once it is.
   */
  begin(tx: Transaction, commits: FileCommits): Promise<() => void>;
}

/** Whose files are to be written, and whose the index has. */
export interface FileCommits {
  readonly commit: string;
  /** The commit whose files the index has; `undefined` when it has none. */
  readonly before: string | undefined;
  /** Whether contents may be missing from the repository. */
  readonly isPartial: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What became of the index. */
export type IndexOutcome =
  | { readonly kind: "current" }
  | { readonly kind: "built" }
  | { readonly kind: "updated"; readonly added: number; readonly removed: number }
  /** More commits than `atMost` lie between it and the checked-out one; counted no further. */
  | { readonly kind: "behind"; readonly commits: number };

/** What was indexed, and when. */
export interface IndexState {
  readonly head: string;
  readonly branch: string;
  /** UTC with milliseconds. */
  readonly indexed_at: string;
}

/** So many commits are listed at first beside those in between. */
const FEW_MORE = 100;
/** With more commits than this in between, reading the history anew is as fast. */
const MOST_UPDATED = 10_000;

/** What the index holds. */
export function indexState(index: Reader): IndexState | undefined {
  return index.get<IndexState>("SELECT head, branch, indexed_at FROM state");
}

/** Absolute path of the index; need not exist. */
export function indexPath({ dataFolder }: Repository): string {
  return join(dataFolder, "index.sqlite");
}

/** The index as it is; `undefined` where there is none that can be used. */
export function openIndex(repository: Repository): Promise<Artifact | undefined> {
  return openArtifact(indexPath(repository), INDEX_FORMAT);
}

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

async function bringUpToDate(run: Run, range: Range | undefined): Promise<IndexOutcome> {
  const { atMost } = run.options;
  if (range === undefined) {
    const commits = atMost === undefined ? 0 : await countAll(run, atMost + 1);
    return commits > (atMost ?? 0) ? { kind: "behind", commits } : build(run);
  }
  const commits = range.added.length + range.removed.length;
  if (atMost !== undefined && commits > atMost) return { kind: "behind", commits };
  if (commits > MOST_UPDATED) return build(run);
  return (await update(run, range)) ?? build(run);
}

function countAll({ powers, repository, head }: Run, most: number): Promise<number> {
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

interface Run {
  readonly powers: IndexPowers;
  readonly repository: Repository;
  readonly options: IndexOptions;
  readonly head: Head;
  /** As `mailmapState` has it. */
  readonly mailmap: string;
  readonly isPartial: boolean;
  readonly exactRenames: boolean;
}

async function build(run: Run): Promise<IndexOutcome> {
  const artifact = { path: indexPath(run.repository), format: INDEX_FORMAT, fromPresent: false };
  await writeArtifact(artifact, async (tx) => {
    const files = filesSeenBack(tx);
    const [finishFiles] = await together(
      beginFiles(run, tx, undefined),
      writeLog(
        run,
        tx,
        { files, firstId: FIRST_COMMIT_ID, step: 1 },
        { revisions: [run.head.commit] },
      ),
    );
    files.finish();
    for (const statement of INDEX_INDICES) tx.run(statement);
    finishFiles();
    writeState(run, tx);
  });
  return { kind: "built" };
}

/** Leaves the index as it was: it holds what cannot be taken back. */
class CannotRewind extends Error {}

async function update(run: Run, range: Range): Promise<IndexOutcome | undefined> {
  const { from, removed, added } = range;
  const artifact = { path: indexPath(run.repository), format: INDEX_FORMAT, fromPresent: true };
  try {
    await writeArtifact(artifact, async (tx) => {
      noteMovedNames(tx);
      const [finishFiles, files] = await together(
        beginFiles(run, tx, from),
        exchangeCommits(run, tx, range),
      );
      files.finish();
      finishFiles();
      writeState(run, tx);
      removeUntouched(tx);
    });
  } catch (error) {
    if (error instanceof CannotRewind) return undefined;
    throw error;
  }
  return { kind: "updated", added: added.length, removed: removed.length };
}

/** @throws CannotRewind */
async function exchangeCommits(run: Run, tx: Transaction, range: Range): Promise<TouchedFiles> {
  const few = FEW_MORE + range.removed.length + range.added.length;
  const exchange = await exchangeFor(tx, range, () => newestFirst(run, few), MOST_UPDATED);
  const left = exchange && removeCommits(tx, exchange.out);
  if (exchange === undefined || left === undefined) throw new CannotRewind();
  const files = filesSeenForward(tx, left);
  const order = { files, firstId: nextId(tx), step: -1 } as const;
  await writeLog(run, tx, order, { hashes: exchange.in.toReversed() });
  return files;
}

/**
 * As `build` reads them.
 * @param few are mostly enough: a git that is listing more would have to be ended, which takes longer.
 */
async function* newestFirst(
  { powers, repository, head, options }: Run,
  few: number,
): AsyncGenerator<string> {
  const { signal } = options;
  const git = { cwd: repository.root, ...(signal === undefined ? {} : { signal }) };
  const list = (bound: string) => listCommits(powers.git, [bound, head.commit], git);
  const first: string[] = [];
  for await (const hash of list(`--max-count=${few}`)) first.push(hash);
  yield* first;
  if (first.length === few) yield* list(`--skip=${few}`);
}

function beginFiles(
  { options, head, isPartial }: Run,
  tx: Transaction,
  before: string | undefined,
): Promise<() => void> {
  return options.files.begin(tx, {
    commit: head.commit,
    before,
    isPartial,
    signal: options.signal,
  });
}

/** Both results; what one throws only when the other has come to its end as well. */
async function together<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** The id of the first commit that is newer than all. */
function nextId(tx: Transaction): number {
  const least = tx.get<{ id: number | null }>("SELECT min(id) AS id FROM commits")?.id;
  return (least ?? FIRST_COMMIT_ID) - 1;
}

async function writeLog(
  { powers, repository, options, exactRenames }: Run,
  tx: Transaction,
  order: Pick<HistoryWriterOptions, "files" | "firstId" | "step">,
  commits: NamedCommits,
): Promise<void> {
  const now = powers.clock.now().getTime() / 1000;
  const boundary = await shallowBoundary(repository);
  const writer = createHistoryWriter(tx, {
    ...order,
    now,
    boundary,
    mapped: (contacts) => mappedContacts(powers.git, repository.root, contacts),
  });
  const { signal, onProgress } = options;
  let written = 0;
  await readLog(powers.git, repository, {
    ...commits,
    exactRenames,
    ...(signal === undefined ? {} : { signal }),
    onCommit(commit) {
      writer.write(commit);
      written += 1;
      onProgress?.(written);
    },
  });
  await writer.finish();
}

function writeState({ powers, head, mailmap }: Run, tx: Transaction): void {
  tx.run("DELETE FROM state");
  tx.run(
    "INSERT INTO state (head, branch, indexed_at, mailmap) VALUES (?, ?, ?, ?)",
    head.commit,
    head.branch,
    powers.clock.iso(),
    mailmap,
  );
}
