/** The edits of one run in one repository: what they began from, and what they came to so far. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { ensurePrivateDir, isDirectory, realPath } from "../../platform/files.ts";
import { listPaths } from "../../platform/git/list-paths.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Place } from "./place.ts";
import { mergeTrees } from "./trees/merge-trees.ts";
import { diffTrees, readTree, type TreeChange } from "./trees/tree.ts";
import type { TreeStore } from "./trees/tree-store.ts";
import { checkedOutTree } from "./worktrees/base-tree.ts";
import { dirtyTree } from "./worktrees/dirty-tree.ts";
import { linkFolders } from "./worktrees/linked-folders.ts";
import { readWorkingState, unknownState } from "./worktrees/working-state.ts";
import {
  type ChangeOptions,
  listUntracked,
  readChanges,
  type WorkingTree,
} from "./worktrees/working-tree-changes.ts";
import {
  addWorktree,
  forgetHalfMade,
  removeWorktree,
  seedWorktree,
  stateOfWorktree,
} from "./worktrees/worktree.ts";

/** What the edits of a run in a repository begin from; recorded once, and kept for all its life. */
export interface EditBase {
  /** Absolute top of the user's checkout. */
  readonly root: string;
  readonly commit: string;
  /** What the commit puts into a working tree, byte for byte. */
  readonly tree: string;
  /** What edits begin from: `tree`, or that with the user's uncommitted changes in it. */
  readonly start: string;
}

/** One change that was merged, as it is on record. */
export interface MergedEdit {
  readonly callId: string;
  /** Tree the worker began with, and the one it left. */
  readonly from: string;
  readonly to: string;
  /** What was staged before and after. */
  readonly before: string;
  readonly after: string;
}

/** All edits of a run in a repository that count so far. */
export interface StagedEdits {
  /** Absolute top of the user's checkout. */
  readonly root: string;
  readonly tree: string;
  /** Whose edits they are, in the order in which they were merged. */
  readonly calls: readonly string[];
}

/** What a working tree holds before a worker begins. */
export interface TreeContent {
  readonly tree: string;
  /** Calls whose edits are in it, in the order in which they were merged. */
  readonly seen: readonly string[];
}

/** A working tree of the run, ready for a worker. */
export type RunWorktree = WorkingTree & TreeContent;

export interface Capture {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly TreeChange[];
  /** Paths that could not be taken: nested repositories, pipes, devices. */
  readonly skipped: readonly string[];
}

export interface RepoEditsPowers {
  readonly git: Git;
  readonly place: Place;
  readonly store: TreeStore;
  /** Absolute folder of the run's working trees. */
  readonly worktrees: string;
  /** Whether edits begin from what the user has not committed. */
  readonly includeDirty: boolean;
  /** Folders of the checkout, relative to its top, that working trees get a link to. */
  readonly links: readonly string[];
  /** Runs `work` while nobody else makes a working tree of this repository. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Puts the base on record. */
  readonly begun: (base: EditBase) => Promise<void>;
  /** Puts on record what counts once an edit of an earlier execution was replayed. */
  readonly replayed: (staged: StagedEdits) => Promise<void>;
}

export class RepoEdits {
  readonly #powers: RepoEditsPowers;
  readonly #recorded: readonly MergedEdit[];
  #base: EditBase | undefined;
  #staged: string | undefined;
  #merged: MergedEdit[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param base of earlier executions.
   * @param recorded edits that earlier executions merged, in that order; they count once replayed.
   */
  constructor(
    powers: RepoEditsPowers,
    base: EditBase | undefined,
    recorded: readonly MergedEdit[],
  ) {
    this.#powers = powers;
    this.#base = base;
    this.#recorded = recorded;
  }

  get place(): Place {
    return this.#powers.place;
  }

  get store(): TreeStore {
    return this.#powers.store;
  }

  /** What there is; `undefined` before the first working tree. */
  get base(): EditBase | undefined {
    return this.#base;
  }

  /** All edits so far, on top of what they began from. */
  get staged(): string | undefined {
    return this.#staged ?? this.#base?.start;
  }

  get hasEdits(): boolean {
    return this.#merged.length > 0;
  }

  /** Calls whose edits are staged, in the order in which they were merged. */
  get merged(): readonly string[] {
    return this.#merged.map(({ callId }) => callId);
  }

  /** What a working tree that is opened now has in it. */
  get content(): TreeContent | undefined {
    const tree = this.staged;
    return tree === undefined ? undefined : { tree, seen: this.merged };
  }

  /**
   * A new working tree.
   * @param name of its folder.
   * @param content what it is to hold; all that is staged where nothing is said.
   * @throws PalliumError `no_commits`, `git_failed`, `disk_full`, `permission_denied`, `io_failed`.
   */
  async openWorktree(name: string, content?: TreeContent): Promise<RunWorktree> {
    const { git, place, store, worktrees, links, alone } = this.#powers;
    const root = join(worktrees, name);
    const commit = this.#base?.commit ?? (await this.#headCommit());
    await ensurePrivateDir(worktrees);
    const checkout = await alone(async () => {
      await removeWorktree(place.commonDir, root, worktrees);
      return addWorktree(git, place.root, root, commit);
    });
    const base = await this.#baseFrom(commit, checkout.root, checkout.paths);
    const { tree, seen } = content ?? this.content ?? { tree: base.start, seen: [] };
    const seeded = await seedWorktree(git, store, checkout.root, base.tree, tree);
    const state = await stateOfWorktree(checkout.root, checkout.paths, seeded);
    await linkFolders(place.root, checkout.root, links);
    return { root: checkout.root, tree, state, seen };
  }

  /** A working tree that an earlier execution opened; how its files stood then is not known. */
  async reopenWorktree(root: string, { tree, seen }: TreeContent): Promise<RunWorktree> {
    return { root, tree, state: unknownState(await readTree(this.#powers.store, tree)), seen };
  }

  async #headCommit(): Promise<string> {
    const { git, place } = this.#powers;
    const commit = await git.headCommit(place.root);
    if (commit !== undefined) return commit;
    throw new PalliumError("no_commits", `the repository has no commit yet: ${place.root}`, {
      hints: ["commit what is there: edits are made on top of a commit"],
    });
  }

  #baseFrom(commit: string, root: string, paths: readonly string[]): Promise<EditBase> {
    return this.inTurn(async () => {
      if (this.#base !== undefined) return this.#base;
      const { git, place, store, includeDirty, begun } = this.#powers;
      const tree = await checkedOutTree(store, root, commit, paths);
      const start = includeDirty ? await dirtyTree(git, store, place.root, tree) : tree;
      const base = { root: place.root, commit, tree, start };
      await begun(base);
      this.#base = base;
      return base;
    });
  }

  /**
   * A working tree in which somebody worked, for the next one: only what that one does counts.
   * @param tree what it is taken to hold by now.
   */
  async lookAgain({ root, seen }: RunWorktree, tree: string): Promise<RunWorktree> {
    const { store } = this.#powers;
    const known = (await readTree(store, tree)).keys();
    const state = await readWorkingState(root, [
      ...known,
      ...(await listUntracked(store, { root, tree })),
    ]);
    return { root, tree, state, seen };
  }

  /** What was done in a working tree since it was opened. */
  async capture(
    worktree: WorkingTree,
    options: Pick<ChangeOptions, "ignored"> = {},
  ): Promise<Capture> {
    const { store, links } = this.#powers;
    const own = await this.#ownPaths(worktree.root);
    const also = own.filter((path) => !worktree.state.has(path));
    const { tree, ...found } = await readChanges(store, worktree, {
      ...options,
      also,
      except: links,
    });
    return { from: worktree.tree, to: tree, ...found };
  }

  /** Paths that the worker itself put into the index, ignored ones too. */
  async #ownPaths(root: string): Promise<readonly string[]> {
    try {
      return await listPaths(this.#powers.git, root, ["ls-files", "-z"]);
    } catch (error) {
      // What a worker did to its `.git` must not cost its work.
      if (error instanceof PalliumError) return [];
      throw error;
    }
  }

  /** Takes away what runners that died left half-way; the repository is held for this run alone. */
  async sweep(): Promise<void> {
    const { place, store, worktrees, alone } = this.#powers;
    await store.sweep();
    if (!(await isDirectory(worktrees))) return;
    const within = await realPath(worktrees);
    await alone(() => forgetHalfMade(place.commonDir, within));
  }

  /** Removes a working tree. */
  removeWorktree(root: string): Promise<void> {
    const { place, worktrees } = this.#powers;
    return removeWorktree(place.commonDir, root, worktrees);
  }

  /**
   * Merges a change into what is staged; one after the other, in the order of calls.
   * @param record puts the outcome on record; only then is it staged, unless it is a conflict.
   */
  stage<T>(
    callId: string,
    { from, to }: Pick<Capture, "from" | "to">,
    record: (merge: (MergedEdit & StagedEdits) | EditConflict) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(async () => {
      const before = this.staged ?? from;
      const { tree, conflicts } = await mergeTrees(this.#powers.store, from, before, to);
      if (conflicts.length > 0) return record({ conflicts, ours: before });
      const edit = { callId, from, to, before, after: tree };
      const calls = [...this.merged, callId];
      const result = await record({ ...edit, root: this.place.root, tree, calls });
      this.#staged = tree;
      this.#merged.push(edit);
      return result;
    });
  }

  /**
   * Counts an edit of an earlier execution as made in this one. What is staged is then all edits
   * that count, merged in the order in which they first were.
   * @returns paths over which one of them does not go together with the others; then it does not count.
   */
  replay(callId: string): Promise<readonly string[]> {
    return this.inTurn(async () => {
      const known = new Set([...this.merged, callId]);
      const before = this.#recorded.filter((edit) => known.has(edit.callId));
      const own = this.#merged.filter(
        (edit) => !before.some((other) => other.callId === edit.callId),
      );
      let staged = this.#base?.start ?? "";
      const merged: MergedEdit[] = [];
      for (const edit of [...before, ...own]) {
        const { tree, conflicts } =
          edit.before === staged
            ? { tree: edit.after, conflicts: [] }
            : await mergeTrees(this.#powers.store, edit.from, staged, edit.to);
        if (conflicts.length > 0) return conflicts;
        merged.push({ ...edit, before: staged, after: tree });
        staged = tree;
      }
      const calls = merged.map((edit) => edit.callId);
      await this.#powers.replayed({ root: this.place.root, tree: staged, calls });
      this.#staged = staged;
      this.#merged = merged;
      return [];
    });
  }

  /** Runs one piece of work after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** What the edits change, against what they began from. */
  async changes(): Promise<readonly TreeChange[]> {
    if (this.#base === undefined || this.#staged === undefined) return [];
    return diffTrees(this.#powers.store, this.#base.start, this.#staged);
  }
}

/** A change that does not go together with what is staged. */
export interface EditConflict {
  readonly conflicts: readonly string[];
  /** What is staged. */
  readonly ours: string;
}
