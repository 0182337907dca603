/**
 * `workflow check-determinism`: rehearses a script several times, its calls completing in another
 * order each time. A script that a resume can rely on makes the same calls each time.
 */
import { usageError } from "../../lib/errors.ts";
import { seededRandom } from "../../lib/seeded-random.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { argsHash } from "../run/request.ts";
import { positioned } from "../run/script-errors.ts";
import type { Choice } from "./completion-order.ts";
import { type Divergence, divergenceOf } from "./divergence.ts";
import { firstLine } from "./dry-run.ts";
import { type Rehearsal, type RehearsedCall, withRehearsals } from "./rehearse.ts";
import { planRehearsal, type RehearsalRequest } from "./rehearsed-run.ts";

/** Enough of a fingerprint to tell the answer of one call from that of another. */
const WORD_LENGTH = 8;
const DEFAULT_ORDERS = 4;
const MOST_ORDERS = 100;

export const ORDERS = ["first", "last", "random"] as const;

export interface DeterminismRequest extends RehearsalRequest {
  /** How many orders of completion are tried, 2 at least; 4 without. */
  readonly orders?: number;
  /** Of the orders that are drawn; 1 without. */
  readonly seed?: number;
}

export interface TriedOrder {
  /** The longest waiting call completes first, the one that was made last, or any. */
  readonly order: (typeof ORDERS)[number];
  /** Of a drawn one. */
  readonly seed?: number;
  readonly calls: number;
}

/** A call as one of two orders has it. */
export interface DivergingCall {
  readonly primitive: string;
  readonly label: string;
  readonly phase: string;
  readonly scope: string;
  readonly prompt: string;
  readonly workflow?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Determinism {
  readonly script: string;
  readonly deterministic: boolean;
  readonly orders: readonly TriedOrder[];
  /** Of each order, which are the same where it is deterministic. */
  readonly calls_compared: number;
  readonly divergence?: {
    readonly kind: Divergence["kind"];
    readonly reason: string;
    readonly one_order: TriedOrder;
    readonly other_order: TriedOrder;
    /** Absent where there is no such call in that order. */
    readonly one?: DivergingCall;
    readonly other?: DivergingCall;
  };
  readonly notes: readonly string[];
}

/** @throws PalliumError as `workflow run` does for a run that cannot begin. */
export async function checkDeterminism(
  powers: WorkflowPowers,
  database: Database,
  { orders: wanted = DEFAULT_ORDERS, seed = 1, ...request }: DeterminismRequest,
  observer: Pick<RunObserver, "warn">,
): Promise<Determinism> {
  if (wanted < 2 || wanted > MOST_ORDERS) {
    throw usageError(`--orders must be between 2 and ${MOST_ORDERS}`);
  }
  const { plan, options } = await planRehearsal(powers, database, request, observer);
  const args = argsHash(plan.args);
  return withRehearsals(powers, async (rehearse) => {
    const tried: TriedOrder[] = [];
    let first: Rehearsal | undefined;
    for (const { choose, ...order } of ordersToTry(wanted, seed)) {
      const common = options();
      const rehearsal = await rehearse({
        ...common,
        costMicros: () => common.estimateMicros,
        word: (fingerprint) => `answer ${fingerprint.slice(0, WORD_LENGTH)}`,
        choose,
      });
      tried.push({ ...order, calls: rehearsal.calls.length });
      first ??= rehearsal;
      const divergence = divergenceOf(first, rehearsal, args);
      if (divergence !== undefined) return report(plan.script.name, tried, first, divergence);
    }
    return report(plan.script.name, tried, first);
  });
}

function* ordersToTry(
  wanted: number,
  seed: number,
): Generator<{ readonly choose: Choice } & Omit<TriedOrder, "calls">> {
  yield { order: "first", choose: () => 0 };
  yield { order: "last", choose: (waiting) => waiting - 1 };
  for (let drawn = seed; drawn < seed + wanted - 2; drawn += 1) {
    const random = seededRandom(drawn);
    yield { order: "random", seed: drawn, choose: (waiting) => Math.floor(random() * waiting) };
  }
}

function report(
  script: string,
  orders: readonly TriedOrder[],
  first: Rehearsal | undefined,
  divergence?: Divergence,
): Determinism {
  const [one, other] = [orders[0], orders.at(-1)];
  return {
    script,
    deterministic: divergence === undefined,
    orders,
    calls_compared: Math.min(...orders.map(({ calls }) => calls)),
    ...(divergence === undefined || one === undefined || other === undefined
      ? {}
      : {
          divergence: {
            kind: divergence.kind,
            reason: divergence.reason,
            one_order: one,
            other_order: other,
            ...(divergence.one === undefined ? {} : { one: shown(divergence.one) }),
            ...(divergence.other === undefined ? {} : { other: shown(divergence.other) }),
          },
        }),
    notes: first === undefined ? [] : notesOf(first),
  };
}

function shown({ plan, phase, identity, workflow, line, column }: RehearsedCall): DivergingCall {
  return {
    primitive: plan.content.primitive,
    label: plan.label,
    phase,
    scope: identity.scope,
    prompt: firstLine(plan.prompt),
    ...(workflow === undefined ? {} : { workflow }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** What was not compared. */
function notesOf({ outcome, calls, isCut }: Rehearsal): readonly string[] {
  if (isCut) return [`only the first ${calls.length} calls were compared (--max-calls)`];
  if (outcome.kind === "returned") return [];
  const why = outcome.kind === "failed" ? positioned(outcome.error) : `script ${outcome.kind}`;
  return [`the script fails on stub answers, and what follows was not compared: ${why}`];
}
