/** The repositories that one execution of a run holds on to. */
import type { Clock } from "../../../platform/clock.ts";
import type { Place } from "../place.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { acquireRepoLock, type RepoLock } from "./repo-lock.ts";
import { withRepoMutex } from "./repo-mutex.ts";

const WORKTREES = "worktrees";

/** Of one repository, whatever the number of its working trees. */
interface Held {
  readonly ledger: Promise<Ledger>;
  lock?: Promise<RepoLock>;
  /** Settles when the last piece of work that is to be done alone is. */
  turn: Promise<unknown>;
}

/** Keeps other runs from editing a repository, and other processes from half of what is done there. */
export class RepoLocks {
  readonly #runId: string;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();

  constructor(runId: string, clock: Clock) {
    this.#runId = runId;
    this.#clock = clock;
  }

  /** Holds a repository until `close`. @throws PalliumError `repo_locked`, fatal. */
  hold(place: Place): Promise<RepoLock> {
    const held = this.#of(place);
    held.lock ??= this.#acquire(place, held);
    return held.lock;
  }

  async #acquire({ root }: Place, { ledger }: Held): Promise<RepoLock> {
    return acquireRepoLock(await ledger, { root, runId: this.#runId, clock: this.#clock });
  }

  /** Runs `work` while nobody else makes a working tree of the repository. */
  alone<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const held = this.#of(place);
    const claim = { name: WORKTREES, runId: this.#runId, root: place.root, clock: this.#clock };
    const result = held.turn.then(async () => withRepoMutex(await held.ledger, claim, work));
    held.turn = result.catch(() => {});
    return result;
  }

  /** Where locks and changes under way of a repository are on record. */
  ledger(place: Place): Promise<Ledger> {
    return this.#of(place).ledger;
  }

  #of({ commonDir }: Place): Held {
    const known = this.#held.get(commonDir);
    if (known !== undefined) return known;
    const held = { ledger: openLedger(commonDir), turn: Promise.resolve() };
    this.#held.set(commonDir, held);
    return held;
  }

  /** Lets go of all of them. @throws what kept the first from being given back, of those it did. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled([...this.#held.values()].map(letGo));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }
}

async function letGo({ ledger, lock }: Held): Promise<void> {
  const [opened, taken] = await Promise.allSettled([ledger, lock]);
  if (opened.status === "rejected") return;
  try {
    if (taken.status === "fulfilled") await taken.value?.release();
  } finally {
    opened.value.close();
  }
}
