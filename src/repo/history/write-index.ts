/** Writes an index: of the whole history, or from one commit to another. */
import type { Clock } from "../../platform/clock.ts";
import type { Git } from "../../platform/git/runner.ts";
import { writeArtifact } from "../../platform/sqlite/artifact.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { Repository } from "../identity.ts";
import { type Exchange, exchangeFor } from "./exchange.ts";
import { mappedContacts } from "./mailmap.ts";
import { noteMovedNames } from "./moved-names.ts";
import { indexPath, indexState } from "./present-index.ts";
import { type Head, type Range, sizeOf } from "./range.ts";
import { type CommitLog, type NamedCommits, shallowBoundary, startLog } from "./read-log.ts";
import { removeCommits, removeUntouched } from "./rewind.ts";
import { FIRST_COMMIT_ID, INDEX_FORMAT, INDEX_INDICES } from "./schema.ts";
import { filesSeenBack, filesSeenForward } from "./touched-files.ts";
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
  readonly files: FileReader;
}

/** Reads what is known of the files of a commit. */
export interface FileReader {
  /** Begins with what can be read before there is an index to write to. */
  begin(commits: FileCommits): FileWriter;
}

/** Writes what is known of the files of a commit into the index that its history is written to. */
export interface FileWriter {
  /** Writes what can be written at the same time as the history. */
  scan(tx: Transaction): Promise<void>;
  /** Writes the rest, once the history is written. */
  finish(tx: Transaction): void;
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

/** One writing of an index. */
export interface IndexRun {
  readonly powers: IndexPowers;
  readonly repository: Repository;
  readonly options: IndexOptions;
  readonly head: Head;
  /** As `mailmapState` has it. */
  readonly mailmap: string;
  readonly isPartial: boolean;
  readonly exactRenames: boolean;
}

/** With more commits than this in between, reading the history anew is as fast. */
export const MOST_UPDATED = 10_000;

/** Writes an index of the whole history. @throws as `indexHistory` does. */
export async function writeIndex(run: IndexRun): Promise<void> {
  const artifact = { path: indexPath(run.repository), format: INDEX_FORMAT, fromPresent: false };
  const contents = beginFiles(run, undefined);
  await using log = beginLog(run, { revisions: [run.head.commit] });
  await writeArtifact(artifact, async (tx) => {
    const files = filesSeenBack(tx);
    const order = { files, firstId: FIRST_COMMIT_ID, step: 1 } as const;
    await together(contents.scan(tx), writeLog(run, tx, order, log));
    for (const statement of INDEX_INDICES) tx.run(statement);
    contents.finish(tx);
    writeState(run, tx);
  });
}

/** Leaves the index as it was: what it holds cannot be taken back, or is no longer what was seen. */
class CannotUpdate extends Error {}

/** What an index is brought up to date with. */
export interface Beginning {
  /** The one that there is. */
  readonly index: Reader;
  /** The commit it is of. */
  readonly from: string;
  /** From there to the checked-out one; `undefined` when the former is no longer there. */
  readonly range: Promise<Range | undefined>;
  /** Lists the commits that lead to the checked-out one, from the newest. */
  readonly newestFirst: () => AsyncIterable<string>;
}

/**
 * Brings the index from one commit to another. It is copied while git finds out what to do.
 * @returns `undefined` where only one of the whole history will do; the index is then as it was.
 * @throws as `indexHistory` does.
 */
export async function updateIndex(run: IndexRun, beginning: Beginning): Promise<Range | undefined> {
  const contents = beginFiles(run, beginning.from);
  await using plan = planUpdate(run, beginning);
  const artifact = { path: indexPath(run.repository), format: INDEX_FORMAT, fromPresent: true };
  try {
    return await writeArtifact(artifact, async (tx) => {
      // Another process may have put a newer index in its place meanwhile.
      if (indexState(tx)?.head !== beginning.from) throw new CannotUpdate();
      noteMovedNames(tx);
      const { range, exchange, log } = await plan.made;
      await together(contents.scan(tx), exchangeCommits(run, tx, exchange, log));
      contents.finish(tx);
      writeState(run, tx);
      removeUntouched(tx);
      return range;
    });
  } catch (error) {
    if (error instanceof CannotUpdate) return undefined;
    throw error;
  }
}

interface UpdatePlan {
  readonly range: Range;
  readonly exchange: Exchange;
  /** The commits to take in. */
  readonly log: CommitLog;
}

/** Begins to find out what to do. `made` rejects with CannotUpdate where it cannot be done. */
function planUpdate(
  run: IndexRun,
  beginning: Beginning,
): AsyncDisposable & { readonly made: Promise<UpdatePlan> } {
  async function make(): Promise<UpdatePlan> {
    const range = await beginning.range;
    if (range === undefined || sizeOf(range) > MOST_UPDATED) throw new CannotUpdate();
    const { index, newestFirst } = beginning;
    const exchange = await exchangeFor(index, range, newestFirst, MOST_UPDATED);
    if (exchange === undefined) throw new CannotUpdate();
    return { range, exchange, log: beginLog(run, { hashes: exchange.in.toReversed() }) };
  }
  const made = make();
  made.catch(() => {}); // told to who awaits it
  return {
    made,
    async [Symbol.asyncDispose]() {
      const [plan] = await Promise.allSettled([made]);
      if (plan.status === "fulfilled") await plan.value.log[Symbol.asyncDispose]();
    },
  };
}

/** @throws CannotUpdate */
async function exchangeCommits(
  run: IndexRun,
  tx: Transaction,
  exchange: Exchange,
  log: CommitLog,
): Promise<void> {
  const left = removeCommits(tx, exchange.out);
  if (left === undefined) throw new CannotUpdate();
  const files = filesSeenForward(tx, left);
  await writeLog(run, tx, { files, firstId: nextId(tx), step: -1 }, log);
}

function beginFiles(
  { options, head, isPartial }: IndexRun,
  before: string | undefined,
): FileWriter {
  const { files, signal } = options;
  return files.begin({ commit: head.commit, before, isPartial, signal });
}

/** What one throws comes only when the other has come to its end as well. */
async function together(a: Promise<void>, b: Promise<void>): Promise<void> {
  await Promise.allSettled([a, b]);
  await Promise.all([a, b]);
}

/** The id of the first commit that is newer than all. */
function nextId(tx: Transaction): number {
  const least = tx.get<{ id: number | null }>("SELECT min(id) AS id FROM commits")?.id;
  return (least ?? FIRST_COMMIT_ID) - 1;
}

function beginLog(
  { powers, repository, options, exactRenames }: IndexRun,
  commits: NamedCommits,
): CommitLog {
  const { signal } = options;
  return startLog(powers.git, repository, {
    ...commits,
    exactRenames,
    ...(signal === undefined ? {} : { signal }),
  });
}

async function writeLog(
  { powers, repository, options }: IndexRun,
  tx: Transaction,
  order: Pick<HistoryWriterOptions, "files" | "firstId" | "step">,
  log: CommitLog,
): Promise<void> {
  const now = powers.clock.now().getTime() / 1000;
  const boundary = await shallowBoundary(repository);
  const writer = createHistoryWriter(tx, {
    ...order,
    now,
    boundary,
    mapped: (contacts) => mappedContacts(powers.git, repository.root, contacts),
  });
  let written = 0;
  await log.deliver((commit) => {
    writer.write(commit);
    written += 1;
    options.onProgress?.(written);
  });
  await writer.finish();
  order.files.finish();
}

function writeState({ powers, head, mailmap }: IndexRun, tx: Transaction): void {
  tx.run("DELETE FROM state");
  tx.run(
    "INSERT INTO state (head, branch, indexed_at, mailmap) VALUES (?, ?, ?, ?)",
    head.commit,
    head.branch,
    powers.clock.iso(),
    mailmap,
  );
}
