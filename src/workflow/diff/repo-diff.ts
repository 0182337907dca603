/** What a run changed in one repository. */
import type { ApplyState } from "../run/types.ts";

/**
 * Whether edits are in the checkout: all, only those of an earlier execution, or none, because they
 * wait for somebody to apply them or because they were taken back.
 */
export const DIFF_STATES = ["applied", "partly_applied", "staged", "reverted", "conflict"] as const;
export type DiffState = (typeof DIFF_STATES)[number];

export interface DiffedCall {
  readonly id: string;
  readonly label?: string;
  readonly phase?: string;
  readonly state: ApplyState;
  /** Absolute path of the patch of this call alone. */
  readonly patch_path: string;
}

/** An edit that did not go together with the others, so that it is no part of what they came to. */
export interface ConflictedCall extends DiffedCall {
  /** Files that both sides changed. */
  readonly paths: readonly string[];
  /** Absolute path of the patch of what the others had done until then. */
  readonly others_path: string;
}

export interface RepoDiff {
  /** Absolute top of the checkout. */
  readonly root: string;
  readonly base_commit: string;
  readonly state: DiffState;
  /** Whose edits it is made of, in the order in which they were merged. */
  readonly calls: readonly DiffedCall[];
  readonly conflicts: readonly ConflictedCall[];
  /** The change as git writes it, piece by piece; nothing where nothing changed. */
  readonly patch: () => AsyncGenerator<Uint8Array>;
}
