/** What `pause` and `stop` share: both ask a run to end, wait for it, and say how it stands. */
import { asJson } from "../../../lib/json.ts";
import type { EndedRun } from "../../../workflow/run/end-from-outside.ts";
import type { CommandContext, CommandResult } from "../../command.ts";

export function endedResult(
  { printer }: CommandContext,
  verb: "pause" | "stop",
  ended: EndedRun,
): CommandResult {
  const { id, status, unchanged } = ended;
  if (unchanged) printer.notice(`run ${id} is ${status}: nothing to ${verb}`);
  return { data: asJson(ended), text: `Workflow ${status}: ${id}` };
}
