/** `agent(prompt, options)`: one unit of work by a provider. */
import type { Json } from "../../lib/json.ts";
import { type AgentRequest, agentRequest } from "./agent-request.ts";
import { agentWork } from "./agent-work.ts";
import type { CallSite, PreparedCall } from "./call.ts";
import { candidates } from "./candidates.ts";
import type { CallSetting } from "./execution.ts";
import { scriptValue } from "./value.ts";
import type { Placement } from "./workspace.ts";

/** @throws PalliumError when the call is refused. */
export async function prepareAgent(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  return agentCall(setting, site, await agentRequest(setting, args));
}

/** The same for a request that another primitive made. */
export function agentCall(
  { args, providers, fallback }: CallSetting,
  site: CallSite,
  request: AgentRequest,
  placement?: Placement,
): PreparedCall {
  return {
    site: { scope: site.scope, phase: request.phase || site.phase },
    plan: {
      content: {
        primitive: request.primitive,
        prompt: request.prompt,
        label: request.label,
        provider: request.provider === "default" ? "" : request.provider,
        model: request.model,
        mode: request.mode,
        isolation: request.isolation,
        repo: request.repo,
        schema: request.schema ?? null,
        args,
        network: request.network,
        ...(request.effort === "" ? {} : { effort: request.effort }),
      },
      label: request.label,
      prompt: request.prompt,
      providers: candidates(providers, fallback, request.provider),
      repo: request.repo,
      schemaHash: request.schemaHash,
      kind: "agent",
      work: (execution, call, slot) => agentWork(execution, request, call, slot, placement),
    },
    value: (output) => scriptValue(output, request.schema !== undefined),
  };
}
