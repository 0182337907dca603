/** Calls that earlier runners left at work, and that the script did not make this time. */
import { disown } from "../../platform/process/recorded.ts";
import { isView } from "../edits/views.ts";
import { callDirectory, callLeftBehind, endCalls } from "./child.ts";
import type { Execution } from "./execution.ts";
import { isLoop } from "./loop-place.ts";

/**
 * Ends them, and removes the working trees that they, or readers who are gone, were in.
 * @param isComplete whether the script came to its end: then nobody will ask for what such a call has
 *   finished. Otherwise it stays for the next execution.
 */
export async function endLeftCalls(execution: Execution, isComplete: boolean): Promise<void> {
  const left = execution.open.rest();
  await endCalls(execution, left);
  for (const { callId, repo } of left) {
    if (isComplete) disown(callDirectory(execution, callId));
    else if (await callLeftBehind(execution, callId)) continue;
    await execution.edits.discard(callId, repo);
  }
  // A runner that was killed right behind the record of a call has left that one's working tree.
  const recorded = new Set(execution.settled.rest().map(({ callId }) => callId));
  await execution.edits.discardLeft(
    (name) => isView(name) || recorded.has(name) || (isComplete && isLoop(name)),
  );
}
