/** What the host does for scripts, by the name scripts call it. */
import type { Json } from "../../lib/json.ts";
import type { CallMessage, HostPrimitive } from "../engine/protocol.ts";
import { prepareAgent } from "./agent.ts";
import type { CallSite, PreparedCall } from "./call.ts";
import { prepareCheck } from "./check.ts";
import type { CallSetting } from "./execution.ts";

type Prepare = (
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
) => Promise<PreparedCall>;

const PRIMITIVES: Readonly<Record<HostPrimitive, Prepare>> = {
  agent: prepareAgent,
  check: prepareCheck,
};

/** Reads the call a script made. @throws PalliumError when it is refused; nothing was recorded. */
export function prepareCall(setting: CallSetting, message: CallMessage): Promise<PreparedCall> {
  return PRIMITIVES[message.primitive](setting, message, message.args);
}
