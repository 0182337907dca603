/** Changes the files of a checkout, all or none of them, whatever happens meanwhile. */
import { messageOf, PalliumError } from "../../../lib/errors.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createLook } from "../../../platform/tree-files/look.ts";
import type { Ledger } from "../locks/ledger.ts";
import type { RepoLock } from "../locks/repo-lock.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { beginIntent, type Change, forgetIntent, type Intent, moveIntent } from "./intents.ts";
import { deepestFolder } from "./obstacles.ts";
import type { Step } from "./plan-steps.ts";
import { undoSteps } from "./undo-steps.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
  type NumberedStep,
  type StepWriter,
  writeSteps,
} from "./write-steps.ts";

/** A change that is over. */
export type EndedChange = Pick<
  Intent,
  "id" | "runId" | "root" | "kind" | "note" | "steps" | "leftAlone"
> & { readonly outcome: "done" | "undone" };

/**
 * Puts the end of a change into the store of its run. It is called again, by whichever process looks
 * next, where it did not resolve: an id that is known is to change nothing.
 */
export type TellRun = (ended: EndedChange) => Promise<void>;

export interface ChangePowers {
  readonly ledger: Ledger;
  /** Git directory in which the ledger lies. */
  readonly commonDir: string;
  readonly lock: Pick<RepoLock, "token" | "check">;
  readonly store: TreeStore;
  readonly clock: Clock;
  readonly tell: TellRun;
  readonly files?: CheckoutFiles;
}

/**
 * Does the steps of a plan. Each file is replaced as a whole, and only if it still is what the plan
 * found. The index of the checkout is not touched.
 * @returns once all is on the disk and the run was told; after that nothing is left of it on record.
 * @throws PalliumError `edits_raced`, `edits_unfinished`, `repo_lock_lost`, `edit_objects_lost`,
 *   `disk_full`, `permission_denied`, `io_failed`: then every file is as it was. `edits_half_done`
 *   where that could not be brought about at once: the error says which files, and `recoverChanges`
 *   goes on with it. What `tell` throws: then the change is done, and told by `recoverChanges`.
 */
export async function performChange(
  powers: ChangePowers,
  change: Omit<Change, "objects">,
): Promise<EndedChange> {
  const { ledger, commonDir, lock, store, clock, tell, files = CHECKOUT_FILES } = powers;
  lock.check();
  const id = crypto.randomUUID();
  const { root, steps } = change;
  const writer = { store, files, root, id, check: lock.check };
  const folders = foldersBefore(root, steps);
  const intent = {
    ...change,
    id,
    objects: store.objects,
    lockToken: lock.token,
    folders,
    begunAt: clock.iso(),
  };
  await beginIntent(ledger, commonDir, intent);
  try {
    await writeSteps(writer, numbered(steps));
  } catch (error) {
    throw withHint(error, await rollBack(powers, writer, intent, error));
  }
  await moveIntent(ledger, id, "done");
  const ended = { ...change, id, leftAlone: [], outcome: "done" as const };
  await tell(ended);
  await forgetIntent(ledger, commonDir, id);
  return ended;
}

export function numbered(steps: readonly Step[]): readonly NumberedStep[] {
  return steps.map((step, ordinal) => ({ ...step, ordinal }));
}

/** Folders that new files come into: without these files they may be empty, and are to stay. */
function foldersBefore(root: string, steps: readonly Step[]): readonly string[] {
  const look = createLook(root);
  const folders = steps.flatMap(({ path, before, after }) => {
    if (before !== undefined || after === undefined) return [];
    return look(path)?.kind === "folder" ? [path] : [deepestFolder(look, path)];
  });
  return [...new Set(folders)].filter((folder) => folder !== "");
}

/** @returns the paths that were left alone. */
async function rollBack(
  { ledger, commonDir }: ChangePowers,
  writer: StepWriter,
  { id, root, steps, folders }: Omit<Intent, "state" | "leftAlone">,
  cause: unknown,
): Promise<readonly string[]> {
  // On a full disk the files may go back where the ledger cannot be written.
  const [turned] = await Promise.allSettled([moveIntent(ledger, id, "back")]);
  try {
    const unchecked = { ...writer, check: () => {} };
    const leftAlone = await undoSteps(unchecked, numbered(steps), folders);
    const [forgotten] = await Promise.allSettled([forgetIntent(ledger, commonDir, id)]);
    if (turned.status === "rejected" && forgotten.status === "rejected") throw forgotten.reason;
    return leftAlone;
  } catch (error) {
    throw halfDone(root, cause, error);
  }
}

function halfDone(root: string, cause: unknown, error: unknown): PalliumError {
  const what = `${messageOf(cause)}; it could not be undone yet: ${messageOf(error)}`;
  return new PalliumError("edits_half_done", `a change to ${root} failed half-way: ${what}`, {
    cause,
    hints: [
      "see to what is in the way; the next pallium workflow command there finishes it or undoes it",
    ],
  });
}

function withHint(error: unknown, leftAlone: readonly string[]): unknown {
  if (!(error instanceof PalliumError)) return error;
  const { code, message, hints, exitCode, fatal } = error;
  const state =
    leftAlone.length === 0
      ? "every file is as it was"
      : `every file is as it was but for what somebody else changed: ${leftAlone.map(visibleName).join(", ")}`;
  return new PalliumError(code, message, {
    cause: error,
    hints: [...hints, state],
    exitCode,
    fatal,
  });
}
