/** What the host does for scripts, by the name scripts call it. */
import { PalliumError } from "../../lib/errors.ts";
import type { CallMessage } from "../engine/protocol.ts";
import { prepareAgent } from "./agent.ts";
import type { PreparedCall } from "./call.ts";
import { prepareCheck } from "./check.ts";
import { prepareRecord, prepareSearch } from "./decisions.ts";
import type { CallSetting } from "./execution.ts";
import { prepareGate } from "./gate.ts";
import { prepareReplan } from "./replan.ts";
import { prepareRepoCall } from "./repo.ts";

/**
 * Reads the call a script made. A workflow inside the run, and a loop until a check passes, are no
 * calls of their own: they make calls.
 * @throws PalliumError when it is refused; nothing was recorded.
 */
export function prepareCall(setting: CallSetting, message: CallMessage): Promise<PreparedCall> {
  const { primitive, args } = message;
  switch (primitive) {
    case "agent":
      return prepareAgent(setting, message, args);
    case "check":
      return prepareCheck(setting, message, args);
    case "gate":
      return prepareGate(setting, message, args);
    case "coordinator.replan":
      return prepareReplan(setting, message, args);
    case "pallium.decisions.record":
      return prepareRecord(setting, message, args);
    case "pallium.decisions.search":
      return prepareSearch(setting, message, args);
    case "workflow":
    case "verify.untilGreen":
      throw new PalliumError("internal_error", `${primitive} was taken for one call`);
    default:
      return prepareRepoCall(primitive, setting, message, args);
  }
}
