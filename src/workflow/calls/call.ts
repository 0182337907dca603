/** What a call is on its way: made by a script, begun, and what its work came to. */

import type { Json } from "../../lib/json.ts";
import type { FailureOutcome } from "../../providers/contract.ts";
import type { ConversationName } from "../../providers/conversation.ts";
import type { Reservation } from "../run/budget.ts";
import type { CallContent, CallIdentity } from "../run/identity.ts";
import type { KeptEdit, SettledCall } from "../run/replay.ts";
import type { Slot } from "../run/slots.ts";
import type { GateRequest, GateVerdict } from "../run/types.ts";
import type { CapturedEdit } from "./edit-work.ts";
import type { Execution } from "./execution.ts";
import type { WorkUsage } from "./spending.ts";

/** Where in the script a call was made. */
export interface CallSite {
  readonly scope: string;
  readonly phase: string;
}

export interface CallPlan {
  readonly content: CallContent;
  readonly label: string;
  readonly prompt: string;
  /** Providers that may do it, in the order in which they are tried. */
  readonly providers: readonly string[];
  readonly repo: string;
  readonly schemaHash: string;
  /**
   * Only agents are counted, capped and charged to the budget. What is asked of repository memory
   * and of persons takes no slot, nor does merging.
   */
  readonly kind: "agent" | "check" | "repo" | "gate" | "merge";
  /** Of a call that decides a gate, what its answer says. */
  readonly gate?: GateRequest & { readonly verdict: (output: string) => GateVerdict };
  /** Is told of the record that answers for the call, where one does. */
  replayed?(call: SettledCall): void;
  /**
   * Does the work, or, with the time it was started, takes over what was left behind. Never rejects
   * for what a worker did wrong.
   */
  work(execution: Execution, call: BegunCall, slot: Slot): Promise<WorkResult>;
}

/** A call that a script made, read and found sound; nothing was done about it yet. */
export interface PreparedCall {
  readonly site: CallSite;
  readonly plan: CallPlan;
  /** What the worker's answer is to the script. */
  value(output: string): Json;
}

export type WorkResult = WorkUsage &
  WorkTraces &
  (
    | { readonly ok: true; readonly output: string }
    | {
        readonly ok: false;
        readonly outcome: FailureOutcome;
        readonly message: string;
        /** Says more than the outcome does, such as `output_limit`. */
        readonly code?: string;
        readonly output?: string;
        /** Somebody ended this call alone. */
        readonly stopped?: true;
        /** Ends the run, not only the call. */
        readonly fatal?: boolean;
      }
  );

/** Where the work was done, and what it did to files. */
interface WorkTraces {
  /** Calls whose edits the worker saw. */
  readonly seen?: readonly string[];
  readonly worktree?: string;
  readonly edit?: CapturedEdit;
  /** What was done in a working tree that goes on to be used: the tree before and after. */
  readonly kept?: KeptEdit;
  /** The provider's own name of the conversation, where it can be taken up again. */
  readonly session?: string;
  /** All conversations that the attempts of the call had, in order. */
  readonly conversations?: readonly ConversationName[];
  /**
   * Is called once the end is on record. Until then the place stays as the worker left it, for a
   * runner that takes the call over.
   */
  readonly onRecord?: () => Promise<void>;
}

/** A call whose start is on record. */
export interface BegunCall {
  readonly callId: string;
  /** The one it is on record with, which may be that of an equal call. */
  readonly identity: CallIdentity;
  readonly provider: string;
  readonly reservation: Reservation | undefined;
  /** When an earlier runner started it; absent for one of our own. */
  readonly startedAt?: Date;
}
