/**
 * The one working tree in which a loop of checks and fixes goes on. It is made for the first fix;
 * until then checks are where others are.
 */
import { join } from "node:path";
import { errorData } from "../../lib/errors.ts";
import type { RepoEdits, RunWorktree, TreeContent } from "../edits/repo-edits.ts";
import type { Workspace } from "../edits/run-edits.ts";
import { type PatchFile, writePatch } from "../edits/trees/patch.ts";
import { diffTrees, type TreeChange } from "../edits/trees/tree.ts";
import type { SettledCall } from "../run/replay.ts";
import type { BegunCall, WorkResult } from "./call.ts";
import type { Execution } from "./execution.ts";
import {
  closePlace,
  noteWorkspace,
  OWN_PLACE,
  type Placement,
  type PlaceRequest,
  reopenWorkspace,
} from "./workspace.ts";

/** What a loop changed, from its first fix to its last. */
export interface LoopChange {
  readonly repo: RepoEdits;
  readonly content: TreeContent;
  readonly to: string;
  readonly changes: readonly TreeChange[];
  readonly patch: PatchFile;
}

const PREFIX = "untilgreen-";

/** Whether this is the name of a loop's working tree. */
export function isLoop(name: string): boolean {
  return name.startsWith(PREFIX);
}

export class LoopPlace {
  /** Of the files of the loop, unique in the run. */
  readonly #name: string;
  /** Folder that the loop works in. */
  readonly #cwd: string;
  #repo: RepoEdits | undefined;
  /** What the loop began with. */
  #content: TreeContent | undefined;
  /** What it came to. */
  #tree: string | undefined;
  #worktree: RunWorktree | undefined;
  /** The conversation of the last fix. */
  #session: string | undefined;
  /** Whether a fix was made that is not on record; a later runner looks for it in the working tree. */
  #isOffRecord = false;

  /** @param key tells the loop from all others of the run. */
  constructor(key: string, cwd: string) {
    this.#name = `${PREFIX}${key}`;
    this.#cwd = cwd;
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** Of a check: after the first fix it sees what was fixed. */
  readonly checks: Placement = {
    open: async (execution, request, call) => {
      if (this.#tree === undefined) return OWN_PLACE.open(execution, request, call);
      return this.#inWorktree(execution, call);
    },
    leave: async (execution, request, callId, place, result) =>
      this.#tree === undefined
        ? OWN_PLACE.leave(execution, request, callId, place, result)
        : { ...result, seen: place.seen },
  };

  /** Of a fix: what it changed stays in the working tree, and is on file. */
  readonly fixes: Placement = {
    open: (execution, _request, call) => this.#inWorktree(execution, call),
    leave: (execution, request, _callId, place, result) =>
      this.#afterFix(execution, request, place, result),
  };

  /** Takes a fix over that an earlier execution made. */
  replayed({ kept, seen, session }: SettledCall): void {
    if (kept === undefined) return;
    this.#content ??= { tree: kept.from, seen };
    this.#tree = kept.to;
    this.#session = session;
  }

  async #inWorktree(
    execution: Execution,
    { callId, startedAt }: Pick<BegunCall, "callId" | "startedAt">,
  ): Promise<Workspace> {
    const repo = await this.#hold(execution);
    const left =
      startedAt === undefined ? undefined : await reopenWorkspace(execution, this.#cwd, callId);
    this.#worktree = left?.worktree ?? (await this.#freshLook(repo));
    const { root, tree, seen } = this.#worktree;
    this.#content ??= { tree, seen };
    const place: Workspace = {
      cwd: join(root, repo.place.offset),
      seen,
      repo,
      worktree: this.#worktree,
      close: async () => {},
    };
    await noteWorkspace(execution, callId, place);
    return place;
  }

  /** Only what comes from now on is the work of whoever comes next. */
  async #freshLook(repo: RepoEdits): Promise<RunWorktree> {
    if (this.#worktree !== undefined) {
      return repo.lookAgain(this.#worktree, this.#tree ?? this.#worktree.tree);
    }
    const { seen } = this.#content ?? {};
    const content = this.#tree === undefined ? undefined : { tree: this.#tree, seen: seen ?? [] };
    return repo.openWorktree(this.#name, content);
  }

  async #hold(execution: Execution): Promise<RepoEdits> {
    this.#repo ??= await execution.edits.holdAt(this.#cwd);
    return this.#repo;
  }

  async #afterFix(
    execution: Execution,
    { includeIgnored }: PlaceRequest,
    { repo, worktree, seen }: Workspace,
    result: WorkResult,
  ): Promise<WorkResult> {
    const traces = { seen, worktree: worktree?.root ?? "" };
    const isWork = result.ok || result.outcome === "schema_failed";
    if (!isWork || repo === undefined || worktree === undefined) return { ...result, ...traces };
    this.#isOffRecord = true;
    const onRecord = async () => {
      this.#isOffRecord = false;
    };
    try {
      const { from, to } = await repo.capture(worktree, { ignored: includeIgnored });
      this.#tree = to;
      this.#session = result.session;
      await this.#writePatch(execution, repo);
      return { ...result, ...traces, kept: { from, to }, onRecord };
    } catch (error) {
      const { code, message } = errorData(error);
      const failure = { ok: false, outcome: "failed", code } as const;
      return { ...result, ...traces, ...failure, message: `capture edits: ${message}`, onRecord };
    }
  }

  #writePatch({ directory }: Execution, { store }: RepoEdits): Promise<PatchFile> {
    const path = join(directory, "patches", `${this.#name}.patch`);
    return writePatch(store, path, this.#content?.tree ?? "", this.#tree ?? "");
  }

  /** `undefined` where no fix changed anything. */
  async change(execution: Execution): Promise<LoopChange | undefined> {
    const [content, to] = [this.#content, this.#tree];
    if (content === undefined || to === undefined || content.tree === to) return undefined;
    const repo = await this.#hold(execution);
    const changes = await diffTrees(repo.store, content.tree, to);
    return { repo, content, to, changes, patch: await this.#writePatch(execution, repo) };
  }

  /** Removes the working tree, also where a runner that died left it; what was done in it is on file. */
  async close(execution: Execution): Promise<void> {
    if (this.#isOffRecord) return;
    const root = this.#worktree?.root;
    await closePlace(execution, {
      close: async () => {
        if (root === undefined) await execution.edits.discard(this.#name, this.#cwd);
        else await this.#repo?.removeWorktree(root);
      },
    });
  }
}
