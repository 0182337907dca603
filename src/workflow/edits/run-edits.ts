/** Where the calls of one run work: in the user's checkout, or in working trees of the run. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { ensurePrivateDir, isDirectory, listDirectories } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";
import { sha256 } from "../../platform/hash.ts";
import { type CheckoutWatch, watchCheckout } from "./checkout/checkout-watch.ts";
import type { RepoLocks } from "./locks/repo-locks.ts";
import { findPlace, noRepository, type Place } from "./place.ts";
import {
  type EditBase,
  type MergedEdit,
  RepoEdits,
  type RunWorktree,
  type StagedEdits,
  type TreeContent,
} from "./repo-edits.ts";
import { openTreeStore } from "./trees/tree-store.ts";
import { isView, Views } from "./views.ts";

/** What a call does to files: an edit is kept, what tests leave behind is not. */
export type Intent = "read" | "test" | "edit";

export interface WorkspaceNeed {
  readonly callId: string;
  /** Absolute folder that the call is to work in. */
  readonly cwd: string;
  readonly intent: Intent;
  /** A worker with network works away from the checkout, whatever it does. */
  readonly network: boolean;
}

export interface Workspace {
  /** Absolute folder in which the worker runs. */
  readonly cwd: string;
  /** Calls whose edits the worker sees. */
  readonly seen: readonly string[];
  /** Absent outside of a repository. */
  readonly repo?: RepoEdits;
  /** Absent where the worker is in the checkout itself. */
  readonly worktree?: RunWorktree;
  /** Of what a worker must leave alone. */
  readonly watch?: CheckoutWatch;
  /** Gives the place back, nothing of it is kept; a shared one goes with its last user. */
  close(): Promise<void>;
}

export interface RunEditsPowers {
  readonly git: Git;
  readonly runId: string;
  /** Absolute folder of the run's files. */
  readonly directory: string;
  readonly includeDirty: boolean;
  /** Folders of the checkout, relative to its top, that working trees get a link to. */
  readonly links: readonly string[];
  /** What earlier executions put on record. */
  readonly bases: readonly EditBase[];
  readonly edits: readonly (MergedEdit & { readonly root: string })[];
  readonly begun: (base: EditBase) => Promise<void>;
  readonly replayed: (staged: StagedEdits) => Promise<void>;
  readonly locks: RepoLocks;
}

const KEY_DIGITS = 16;

export class RunEdits {
  readonly #powers: RunEditsPowers;
  readonly #places = new Map<string, Promise<Place | undefined>>();
  readonly #repos = new Map<string, Promise<RepoEdits>>();
  readonly #held = new Map<string, Promise<void>>();
  readonly #opened: RepoEdits[] = [];
  readonly #views = new Views();
  /** Calls of earlier executions whose edits count here, those that wait for their turn too. */
  readonly #replayed = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(powers: RunEditsPowers) {
    this.#powers = powers;
  }

  /** The repository around a folder; all its folders share one. */
  async repoAt(cwd: string): Promise<RepoEdits | undefined> {
    const place = await this.#placeAt(cwd);
    return place === undefined ? undefined : this.#repo(place);
  }

  #placeAt(cwd: string): Promise<Place | undefined> {
    return remembered(this.#places, cwd, () => findPlace(this.#powers.git, cwd));
  }

  #repo(place: Place): Promise<RepoEdits> {
    return remembered(this.#repos, place.root, () => this.#openRepo(place));
  }

  async #openRepo(place: Place): Promise<RepoEdits> {
    const { git, directory, includeDirty, links, bases, edits, begun, replayed, locks } =
      this.#powers;
    const repo = new RepoEdits(
      {
        git,
        place,
        store: await openTreeStore(git, place.commonDir, objectsFolder(directory, place.root)),
        worktrees: this.#worktrees,
        includeDirty,
        links,
        alone: (work) => locks.alone(place, work),
        begun,
        replayed,
      },
      bases.find(({ root }) => root === place.root),
      edits.filter(({ root }) => root === place.root),
    );
    this.#opened.push(repo);
    return repo;
  }

  /**
   * Finds a place for a call: an edit has a working tree of its own; others see the checkout while
   * nothing is staged, then a working tree with what is.
   * @throws PalliumError `not_a_repository`, `repo_locked`, `no_commits`, and those of git and files.
   */
  async open({ callId, cwd, intent, network }: WorkspaceNeed): Promise<Workspace> {
    const asIs = { cwd, seen: [], close: async () => {} };
    const mayEdit = intent === "edit" || network;
    if (intent === "read" && !mayEdit && !this.#opened.some(({ hasEdits }) => hasEdits))
      return asIs;
    const place = await this.#placeFor(cwd, mayEdit);
    if (place === undefined) return asIs;
    const repo = await this.#repo(place);
    if (intent === "edit") await this.#hold(repo);
    if (intent === "edit" || network || (repo.hasEdits && intent === "test")) {
      const watch = intent === "edit" ? { watch: await this.#watch(repo) } : {};
      return { ...(await inWorktree(repo, place, await repo.openWorktree(callId))), ...watch };
    }
    if (repo.hasEdits) return this.#view(repo, place);
    return intent === "test" ? { ...asIs, repo, watch: await this.#watch(repo) } : asIs;
  }

  #watch({ store, place }: RepoEdits): Promise<CheckoutWatch> {
    return watchCheckout(this.#powers.git, store, place);
  }

  /** Who only looks, or runs tests, can do without a repository, and without git. */
  async #placeFor(cwd: string, mayEdit: boolean): Promise<Place | undefined> {
    try {
      const place = await this.#placeAt(cwd);
      if (place === undefined && mayEdit) throw await noRepository(this.#powers.git, cwd);
      return place;
    } catch (error) {
      const isMissing = error instanceof PalliumError && error.code === "git_missing";
      if (isMissing && !mayEdit) return undefined;
      throw error;
    }
  }

  /** Removes a working tree that nobody needs any more, where an earlier runner left it. */
  async discard(name: string, cwd: string): Promise<void> {
    const root = join(this.#worktrees, name);
    if (await isDirectory(root)) await (await this.repoAt(cwd))?.removeWorktree(root);
  }

  /**
   * Removes working trees that earlier runners left and nobody is at work in.
   * @param isLeft says of a name whether it is one.
   */
  async discardLeft(isLeft: (name: string) => boolean): Promise<void> {
    const used = await this.#views.names();
    const names = await listDirectories(this.#worktrees);
    const left = names.filter((one) => isLeft(one) && !used.includes(one));
    if (left.length > 0) for (const { root } of this.#powers.bases) await this.repoAt(root);
    for (const name of left) {
      // Whose it was is not on record; for the others there is nothing to forget.
      for (const repo of this.#opened) await repo.removeWorktree(join(this.#worktrees, name));
    }
  }

  get #worktrees(): string {
    return join(this.#powers.directory, "worktrees");
  }

  /** The place of a call whose runner died, as that left it: nothing is made of what is gone. */
  async reopen(cwd: string, root: string, content: TreeContent): Promise<Workspace | undefined> {
    const place = await this.#placeAt(cwd);
    if (place === undefined) return undefined;
    const repo = await this.#repo(place);
    if (!isView(root)) return placeIn(repo, place, await repo.reopenWorktree(root, content));
    const { worktree, close } = await this.#views.reopen(repo, root, content);
    return placeIn(repo, place, worktree, close);
  }

  /** Readers of the same tree share one working tree. */
  async #view(repo: RepoEdits, place: Place): Promise<Workspace> {
    const { worktree, close } = await this.#views.open(repo);
    return inWorktree(repo, place, worktree, close);
  }

  /**
   * The repository around a folder, for edits of this run alone.
   * @throws PalliumError `not_a_repository`, `repo_locked`.
   */
  async holdAt(cwd: string): Promise<RepoEdits> {
    const repo = await this.repoAt(cwd);
    if (repo === undefined) throw await noRepository(this.#powers.git, cwd);
    await this.#hold(repo);
    return repo;
  }

  /** Nobody else works with what the run has of a held repository: leftovers of dead runners go. */
  #hold(repo: RepoEdits): Promise<void> {
    return remembered(this.#held, repo.place.root, async () => {
      await this.#powers.locks.hold(repo.place);
      await repo.sweep();
    });
  }

  /** Whether the edit of a call counts in this execution. */
  isMerged(callId: string): boolean {
    return this.#replayed.has(callId) || this.#opened.some(({ merged }) => merged.includes(callId));
  }

  /**
   * Counts the edit of a call that is taken from an earlier execution, after those that were asked
   * for before; most calls have none.
   * @returns paths over which it does not go together with others; then it does not count.
   */
  async replay(callId: string): Promise<readonly string[]> {
    const edit = this.#powers.edits.find((recorded) => recorded.callId === callId);
    if (edit === undefined) return [];
    this.#replayed.add(callId);
    const replayed = this.#turn.then(async () => (await this.holdAt(edit.root)).replay(callId));
    this.#turn = replayed.catch(() => {});
    const conflicts = await replayed;
    if (conflicts.length > 0) this.#replayed.delete(callId);
    return conflicts;
  }

  /** Every repository that a call worked in. */
  get repos(): readonly RepoEdits[] {
    return this.#opened;
  }

  /** Removes shared working trees and lets go of the repositories. */
  async close(): Promise<void> {
    try {
      await this.#views.close();
    } finally {
      await this.#powers.locks.close();
    }
  }
}

/** A new working tree as a place, with the folder that the worker begins in. */
async function inWorktree(...parts: Parameters<typeof placeIn>): Promise<Workspace> {
  const place = placeIn(...parts);
  await ensurePrivateDir(place.cwd);
  return place;
}

function placeIn(
  repo: RepoEdits,
  { offset }: Place,
  worktree: RunWorktree,
  close = () => repo.removeWorktree(worktree.root),
): Workspace {
  return { cwd: join(worktree.root, offset), seen: worktree.seen, repo, worktree, close };
}

/** Where a run keeps what its edits in a repository are made of. */
export function objectsFolder(directory: string, root: string): string {
  return join(directory, "objects", sha256(root).slice(0, KEY_DIGITS));
}

/** What `make` made for a key; one that failed is made anew. */
function remembered<T>(
  made: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = made.get(key);
  if (known !== undefined) return known;
  const result = make();
  made.set(key, result);
  result.catch(() => made.delete(key));
  return result;
}
