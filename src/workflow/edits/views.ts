/** Working trees in which several read what is staged; each goes with its last reader. */
import { basename } from "node:path";
import type { RepoEdits, RunWorktree, TreeContent } from "./repo-edits.ts";

/** A working tree that is one's own until it is given back. */
export interface ReadingPlace {
  readonly worktree: RunWorktree;
  close(): Promise<void>;
}

interface View {
  readonly repo: RepoEdits;
  readonly worktree: Promise<RunWorktree>;
  users: number;
}

const PREFIX = "view-";
const NAME_DIGITS = 8;

/** Whether a folder of working trees, or a name in one, is that of a view. */
export function isView(path: string): boolean {
  return basename(path).startsWith(PREFIX);
}

export class Views {
  readonly #views = new Map<string, View>();

  /** Who reads the same tree gets the same place. */
  open(repo: RepoEdits): Promise<ReadingPlace> {
    const { content } = repo;
    // A process that a dead runner left may still read in a view of the same tree.
    const name = `${PREFIX}${crypto.randomUUID().slice(0, NAME_DIGITS)}`;
    return this.#use(`${repo.place.root} ${content?.tree}`, repo, () =>
      repo.openWorktree(name, content),
    );
  }

  /** The place of a reader whose runner died; others may read there too. */
  reopen(repo: RepoEdits, root: string, content: TreeContent): Promise<ReadingPlace> {
    return this.#use(root, repo, () => repo.reopenWorktree(root, content));
  }

  async #use(
    key: string,
    repo: RepoEdits,
    make: () => Promise<RunWorktree>,
  ): Promise<ReadingPlace> {
    const view = this.#views.get(key) ?? { repo, worktree: make(), users: 0 };
    this.#views.set(key, view);
    view.users += 1;
    try {
      const worktree = await view.worktree;
      return { worktree, close: () => this.#leave(key, view, worktree) };
    } catch (error) {
      // The next one makes it anew.
      if (this.#views.get(key) === view) this.#views.delete(key);
      throw error;
    }
  }

  async #leave(key: string, view: View, { root, tree }: RunWorktree): Promise<void> {
    view.users -= 1;
    if (view.users > 0 || tree === view.repo.staged) return;
    this.#views.delete(key);
    await view.repo.removeWorktree(root);
  }

  /** Names of those that are open. */
  async names(): Promise<readonly string[]> {
    const opened = await Promise.allSettled([...this.#views.values()].map((one) => one.worktree));
    return opened.flatMap((one) => (one.status === "fulfilled" ? [basename(one.value.root)] : []));
  }

  /** Removes all of them. */
  async close(): Promise<void> {
    for (const { repo, worktree } of this.#views.values()) {
      await repo.removeWorktree((await worktree).root);
    }
  }
}
