/** What a run has come to so far, as its coordinator is told. */
import { oneLine } from "../../lib/one-line.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import { type CallIdentity, looseScope } from "../run/identity.ts";

export interface FinishedCall {
  /** Structural scope with ordinals. */
  readonly scope: string;
  /** What the call was and what became of it, whichever execution asked. */
  readonly key: string;
  readonly label: string;
  readonly outcome: CallOutcome;
  /** The beginning of its answer or of its error, in one line. */
  readonly text: string;
}

export interface FinishedCalls {
  add(
    identity: CallIdentity,
    label: string,
    end: { readonly outcome: CallOutcome; readonly text: string },
  ): void;
  /**
   * Those that code in this scope can have waited for, in the order in which they ended. Other items
   * of a group around it are left out: whether they ended by then is chance.
   */
  before(scope: string): readonly FinishedCall[];
}

const TEXT_LENGTH = 300;
/** Of an answer that may have megabytes so much is looked at. */
const READ_LENGTH = 4 * TEXT_LENGTH;

export function createFinishedCalls(): FinishedCalls {
  const calls: FinishedCall[] = [];
  return {
    add: ({ scope, fingerprint }, label, { outcome, text }) => {
      const key = `${looseScope(scope)}:${fingerprint}:${outcome}`;
      calls.push({
        scope,
        key,
        label,
        outcome,
        text: oneLine(text.slice(0, READ_LENGTH), TEXT_LENGTH),
      });
    },
    before: (scope) => calls.filter((call) => !isBeside(call.scope, scope)),
  };
}

const GROUP_STEP = /^(\w+#\d+)\[(\d+)\]/;

/** Whether two scopes are in different items of one group. */
function isBeside(one: string, other: string): boolean {
  const [left, right] = [one.split("/"), other.split("/")];
  const at = left.findIndex((step, index) => step !== right[index]);
  const [, group, item] = GROUP_STEP.exec(left[at] ?? "") ?? [];
  const [, otherGroup, otherItem] = GROUP_STEP.exec(right[at] ?? "") ?? [];
  return group !== undefined && group === otherGroup && item !== otherItem;
}
