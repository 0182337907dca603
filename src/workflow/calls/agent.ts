/** `agent(prompt, options)`: one unit of work by a provider. */
import type { Json } from "../../lib/json.ts";
import { type AgentRequest, agentRequest } from "./agent-request.ts";
import { agentWork } from "./agent-work.ts";
import { callLeftBehind } from "./child.ts";
import type { Execution } from "./execution.ts";
import { type CallSite, perform } from "./perform.ts";
import { scriptValue } from "./value.ts";

/** @returns the answer as the script gets it. @throws PalliumError when the call failed or is refused. */
export async function callAgent(
  execution: Execution,
  site: CallSite,
  args: readonly Json[],
): Promise<Json> {
  return runAgent(execution, site, await agentRequest(execution, args));
}

/** The same for a request that another primitive made. */
export async function runAgent(
  execution: Execution,
  site: CallSite,
  request: AgentRequest,
): Promise<Json> {
  const provider = execution.providers.resolve(request.provider);
  const output = await perform(
    execution,
    { scope: site.scope, phase: request.phase || site.phase },
    {
      content: {
        primitive: request.primitive,
        prompt: request.prompt,
        label: request.label,
        provider: request.provider === "default" ? "" : request.provider,
        model: request.model,
        mode: request.mode,
        isolation: "",
        repo: request.repo,
        schema: request.schema ?? null,
        args: execution.args,
        network: false,
      },
      label: request.label,
      prompt: request.prompt,
      provider,
      repo: request.repo,
      schemaHash: request.schemaHash,
      agent: true,
      leftBehind: (callId) => callLeftBehind(execution, callId),
      work: async (callId, startedAt) =>
        agentWork(execution, request, execution.providers.get(provider), callId, startedAt),
    },
  );
  return scriptValue(output, request.schema !== undefined);
}
