/** One run at a time edits a repository, whichever working tree of it and whichever store it uses. */
import { PalliumError } from "../../../lib/errors.ts";
import type { Clock } from "../../../platform/clock.ts";
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
 * process held is free at once.
 * @throws PalliumError `repo_locked`, fatal, while another run holds it; those of `Database`.
 */
export async function acquireRepoLock(
  ledger: Ledger,
  { clock, ...request }: RepoLockRequest,
): Promise<RepoLock> {
  const claim = { ...request, name: EDITS };
  const token = await ledger.write((tx) => {
    const taken = takeLock(tx, claim, clock);
    if (typeof taken === "string") return taken;
    if (!isOwn(taken, claim)) throw locked(claim, taken);
    takeAgain(tx, taken.token);
    return taken.token;
  });
  return holdLock(ledger, claim, token, clock);
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

function locked({ root }: LockClaim, holder: LockHolder): PalliumError {
  const { runId, owner, root: place, refreshedAt } = holder;
  return new PalliumError(
    "repo_locked",
    `workflow repo edit lock contended: another edit run holds ${root} (run ${runId})`,
    {
      fatal: true,
      hints: [
        `wait for it, or end it with: pallium workflow stop ${runId}`,
        `it is process ${owner?.pid} on ${owner?.host}, works in ${place}, and was last heard of at ${refreshedAt}`,
      ],
    },
  );
}
