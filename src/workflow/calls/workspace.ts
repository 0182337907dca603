/** Where the worker of a call runs, and what is made of it once the worker is done. */
import { join } from "node:path";
import { errorData, PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { ensurePrivateDir, readTextFile, writeFileDurable } from "../../platform/files.ts";
import type { Intent, Workspace } from "../edits/run-edits.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { BegunCall, WorkResult } from "./call.ts";
import { callDirectory } from "./child.ts";
import { captureEdit } from "./edit-work.ts";
import type { Execution } from "./execution.ts";

/** Finds a worker its place, and takes what it did from there. */
export interface Placement {
  open(
    execution: Execution,
    request: PlaceRequest,
    call: Pick<BegunCall, "callId" | "startedAt">,
  ): Promise<Workspace>;
  leave(
    execution: Execution,
    request: PlaceRequest,
    callId: string,
    place: Workspace,
    result: WorkResult,
  ): Promise<WorkResult>;
}

export type PlaceRequest = Pick<
  AgentRequest,
  "label" | "repo" | "mode" | "isolation" | "includeIgnored" | "network"
>;

/** Of a call that has a place of its own. */
export const OWN_PLACE: Placement = { open: openWorkspace, leave: leaveWorkspace };

/** Names, in the directory of a call, the working tree of its worker. */
const FILE = "workspace.json";

/** What a call of this mode does to files. */
export function intentOf({ mode, isolation }: Pick<AgentRequest, "mode" | "isolation">): Intent {
  if (mode === "edit" || isolation === "worktree") return "edit";
  return mode === "read-only" ? "read" : "test";
}

/**
 * Finds a place for the worker of a call, or, for one that an earlier runner started, the place it
 * was given then.
 * @throws PalliumError as `RunEdits.open` does.
 */
export async function openWorkspace(
  execution: Execution,
  request: PlaceRequest,
  { callId, startedAt }: Pick<BegunCall, "callId" | "startedAt">,
): Promise<Workspace> {
  const { repo: cwd, network } = request;
  const left = startedAt === undefined ? undefined : await reopenWorkspace(execution, cwd, callId);
  if (left !== undefined) return left;
  const place = await execution.edits.open({ callId, cwd, intent: intentOf(request), network });
  await noteWorkspace(execution, callId, place);
  return place;
}

/** Puts on file where the worker of a call is, for a runner that takes the call over. */
export async function noteWorkspace(
  execution: Execution,
  callId: string,
  { worktree }: Workspace,
): Promise<void> {
  if (worktree === undefined) return;
  const { root, tree, seen } = worktree;
  const directory = callDirectory(execution, callId);
  await ensurePrivateDir(directory);
  await writeFileDurable(join(directory, FILE), JSON.stringify({ root, tree, seen }));
}

/** The place of a call that an earlier runner started; `undefined` where it had none of its own. */
export async function reopenWorkspace(
  execution: Execution,
  cwd: string,
  callId: string,
): Promise<Workspace | undefined> {
  const left = await readNote(join(callDirectory(execution, callId), FILE));
  return left === undefined ? undefined : execution.edits.reopen(cwd, left.root, left);
}

/**
 * Takes what the worker did from its place. Of an edit agent that failed everything is left where it
 * is; what others left in a working tree is thrown away, and what they did to the checkout is told.
 */
export async function leaveWorkspace(
  execution: Execution,
  request: PlaceRequest,
  callId: string,
  place: Workspace,
  result: WorkResult,
): Promise<WorkResult> {
  const seen = { seen: place.seen };
  const onRecord = () => closePlace(execution, place);
  await warnOfSettings(execution, request.label || callId, place);
  if (intentOf(request) !== "edit") {
    const changed = await changedCheckout(execution, request, callId, place);
    return { ...(changed === undefined ? result : { ...result, ...changed }), ...seen, onRecord };
  }
  const worktree = place.worktree === undefined ? {} : { worktree: place.worktree.root };
  // An answer that does not match its schema is no reason to lose the work that was done.
  if (!result.ok && result.outcome !== "schema_failed") return { ...result, ...seen, ...worktree };
  try {
    const name = request.label || callId;
    const edit = await captureEdit(execution, place, callId, {
      name,
      ignored: request.includeIgnored,
    });
    return { ...result, ...seen, ...worktree, ...(edit && { edit }), onRecord };
  } catch (error) {
    const { code, message } = errorData(error);
    const failure = {
      ok: false,
      outcome: "failed",
      code,
      message: `capture edits: ${message}`,
    } as const;
    return { ...result, ...failure, ...seen, ...worktree };
  }
}

/** What is in the way of removing a working tree is told; it costs nobody his answer. */
export async function closePlace(
  { warn }: Execution,
  place: Pick<Workspace, "close">,
): Promise<void> {
  try {
    await place.close();
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    warn(error.message);
  }
}

/** A worker's `git config` is in force for the user too. */
async function warnOfSettings(
  { warn }: Execution,
  name: string,
  { watch, repo }: Workspace,
): Promise<void> {
  if (repo === undefined || (await watch?.hasNewSettings()) !== true) return;
  const file = join(repo.place.commonDir, "config");
  warn(`${name}: the settings of the repository changed while it worked: ${file}`);
}

/** How a call fails whose worker changed files of the checkout that it was to leave alone. */
async function changedCheckout(
  execution: Execution,
  { label, mode }: Pick<AgentRequest, "label" | "mode">,
  callId: string,
  { watch }: Workspace,
): Promise<Failure | undefined> {
  const changed = (await watch?.changed()) ?? [];
  if (changed.length === 0) return undefined;
  const patch = join(execution.directory, "patches", `${callId}.checkout.patch`);
  await watch?.keep(patch, changed);
  const who = label === "" ? `a worker in mode ${mode}` : `${label} (mode ${mode})`;
  return {
    ok: false,
    outcome: "failed",
    code: "checkout_changed",
    message: `${who} changed files of the checkout: ${changed.map(visibleName).join(", ")}; what was done to them is in ${patch}`,
  };
}

type Failure = Pick<WorkResult & { readonly ok: false }, "ok" | "outcome" | "code" | "message">;

/** Calls whose edits the worker of a call sees that an earlier runner started. */
export async function seenByLeft(execution: Execution, callId: string): Promise<readonly string[]> {
  return (await readNote(join(callDirectory(execution, callId), FILE)))?.seen ?? [];
}

interface Note {
  readonly root: string;
  readonly tree: string;
  readonly seen: readonly string[];
}

async function readNote(path: string): Promise<Note | undefined> {
  const note = parseJson((await readTextFile(path)) ?? "");
  if (!isRecord(note) || !Array.isArray(note.seen)) return undefined;
  return { root: String(note.root), tree: String(note.tree), seen: note.seen.map(String) };
}
