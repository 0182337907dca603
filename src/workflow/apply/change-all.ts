/** Changes the checkouts of several repositories: all of them, or none. */
import { PalliumError } from "../../lib/errors.ts";
import { readIntents } from "../edits/checkout/intents.ts";
import type { EndedChange } from "../edits/checkout/perform-change.ts";
import {
  type CheckoutChange,
  changeCheckout,
  type EditContext,
  type EditRepo,
} from "./edit-repos.ts";

export interface PlannedChange {
  readonly repo: EditRepo;
  readonly change: CheckoutChange;
  /** What takes it back once it is done. */
  readonly undo: (ended: EndedChange) => CheckoutChange;
}

type Done = Omit<PlannedChange, "undo">;

/**
 * Changes one after the other. Where one cannot be changed, those before it are changed back; one of
 * which that cannot be done is told.
 * @throws those of `performChange`.
 */
export async function changeAll(
  context: EditContext,
  planned: readonly PlannedChange[],
): Promise<void> {
  const done: Done[] = [];
  for (const { repo, change, undo } of planned) {
    try {
      done.push({ repo, change: undo(await changeCheckout(context, repo, change)) });
    } catch (error) {
      if (!(await isDone(context, repo))) await takeBack(context, done.toReversed());
      throw error;
    }
  }
}

/** Whether all files were changed, and only the run could not be told. */
async function isDone({ locks }: EditContext, { place }: EditRepo): Promise<boolean> {
  const intents = readIntents(await locks.ledger(place));
  return intents.some(({ root, state }) => root === place.root && state === "done");
}

async function takeBack(context: EditContext, done: readonly Done[]): Promise<void> {
  for (const { repo, change } of done) {
    try {
      await changeCheckout(context, repo, change);
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      context.warn(`what was done in ${repo.place.root} could not be taken back: ${error.message}`);
    }
  }
}
