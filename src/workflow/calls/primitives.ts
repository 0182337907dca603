/** What the host does for scripts, by the name scripts call it. */
import type { CallMessage } from "../engine/protocol.ts";
import { prepareAgent } from "./agent.ts";
import type { PreparedCall } from "./call.ts";
import { prepareCheck } from "./check.ts";
import type { CallSetting } from "./execution.ts";
import { prepareRepoCall } from "./repo.ts";

/** Reads the call a script made. @throws PalliumError when it is refused; nothing was recorded. */
export function prepareCall(setting: CallSetting, message: CallMessage): Promise<PreparedCall> {
  const { primitive, args } = message;
  if (primitive === "agent") return prepareAgent(setting, message, args);
  if (primitive === "check") return prepareCheck(setting, message, args);
  return prepareRepoCall(primitive, setting, message, args);
}
