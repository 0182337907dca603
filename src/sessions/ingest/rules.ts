/** What reading transcripts needs, keeps to and counts. */
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import type { SessionPowers } from "../powers.ts";

export interface IndexPowers {
  readonly database: Database;
  readonly clock: Clock;
  readonly createScanner: () => SecretScanner;
  /** Program of the Worker that reads where there is much to read; absent to do all here. */
  readonly readerWorker?: string | URL;
  readonly signal: AbortSignal;
  /** As in `SessionPowers`. */
  readonly workflowCalls?: SessionPowers["workflowCalls"];
}

export interface IndexRules {
  /** Names the computer that the transcripts are of. */
  readonly machine: string;
  /** Read everything anew, however old or young it is. */
  readonly force: boolean;
  /**
   * Files written within so many milliseconds are still being written. Of what was written later
   * than now nobody knows when that was: the clock was set back, or another computer's is ahead.
   */
  readonly quietMs: number;
  /** Only files written within so many milliseconds; absent for all. */
  readonly sinceMs?: number;
}

export interface IndexCounts {
  /** Transcripts that were read, whole or from where they had grown. */
  indexed: number;
  unchanged: number;
  /** Left for the next time: an agent is writing them. */
  active: number;
  /** Of sessions that were forgotten, or pruned and not written since. */
  left_out: number;
  /** Files that hold a session which another file holds too. */
  duplicates: number;
  /** Lines that are no records, in what was read. */
  malformed: number;
  /** Bytes that were read. */
  bytes: number;
}
