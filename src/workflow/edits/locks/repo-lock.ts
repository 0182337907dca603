/** One run at a time edits a repository, whichever working tree of it and whichever store it uses. */
import { PalliumError } from "../../../lib/errors.ts";
import type { Clock } from "../../../platform/clock.ts";
import { sleep } from "../../../platform/sleep.ts";
import { keepLock } from "./keep-lock.ts";
import type { Ledger } from "./ledger.ts";
import {
  isHeld,
  isOwn,
  type LockClaim,
  type LockHolder,
  lockHolder,
  takeAgain,
  takeLock,
} from "./lock-row.ts";

const EDITS = "edits";
/** In whose name a command holds a repository that brings to an end what a dead process left in it. */
export const RECOVERY = "recovery";
/** Milliseconds for which others wait for that; it takes as long as the change that is finished. */
const RECOVERY_PATIENCE_MS = 30_000;
const PAUSE_MS = 20;

export interface RepoLock {
  /** Names this holding in the ledger. */
  readonly token: string;
  /** @throws PalliumError `repo_lock_lost`, fatal, when another run took it over. */
  check(): void;
  /** Gives it back; once, and without effect where another took it over. */
  release(): Promise<void>;
}

export type RepoLockRequest = Omit<LockClaim, "name"> & { readonly clock: Clock };

/**
 * Takes the right to edit a repository, and says from time to time that it is still held. The same
 * run of the same process may take it again; it is free once each was released. Whatever a dead
 * process held is free at once. A recovery is waited for.
 * @throws PalliumError `repo_locked`, fatal, while another run holds it; those of `Database`.
 */
export async function acquireRepoLock(
  ledger: Ledger,
  { clock, ...request }: RepoLockRequest,
): Promise<RepoLock> {
  const claim = { ...request, name: EDITS };
  const until = clock.now().getTime() + RECOVERY_PATIENCE_MS;
  for (;;) {
    const taken = await tryToTake(ledger, claim, clock);
    if (typeof taken === "string") return holdLock(ledger, claim, taken, clock);
    if (taken.runId !== RECOVERY || clock.now().getTime() > until) throw locked(claim, taken);
    await sleep(PAUSE_MS);
  }
}

/** @returns the token, or who holds it. */
function tryToTake(ledger: Ledger, claim: LockClaim, clock: Clock): Promise<string | LockHolder> {
  return ledger.write((tx) => {
    const taken = takeLock(tx, claim, clock);
    if (typeof taken === "string" || !isOwn(taken, claim)) return taken;
    takeAgain(tx, taken.token);
    return taken.token;
  });
}

/** Who edits a repository just now; `undefined` where nobody does. */
export function editorOf(ledger: Ledger, clock: Clock): LockHolder | undefined {
  return lockHolder(ledger, EDITS, clock);
}

function holdLock(ledger: Ledger, { root }: LockClaim, token: string, clock: Clock): RepoLock {
  const release = keepLock(ledger, token, clock);
  let isReleased = false;
  return {
    token,
    check() {
      if (!isReleased && isHeld(ledger, token)) return;
      throw new PalliumError("repo_lock_lost", `another run has taken over the edits of ${root}`, {
        fatal: true,
        hints: ["this process stood still for too long; see what the other one does, then resume"],
      });
    },
    release() {
      isReleased = true;
      return release();
    },
  };
}

function locked({ root, runId: ours }: LockClaim, holder: LockHolder): PalliumError {
  const { runId, owner, root: place, refreshedAt } = holder;
  const who =
    runId === ours ? "the run itself is still at work and holds" : "another edit run holds";
  return new PalliumError(
    "repo_locked",
    `workflow repo edit lock contended: ${who} ${root} (run ${runId})`,
    {
      fatal: true,
      hints: [
        `wait for it, or end it with: pallium workflow stop ${runId}`,
        `it is process ${owner?.pid} on ${owner?.host}, works in ${place}, and was last heard of at ${refreshedAt}`,
      ],
    },
  );
}
