/** Calls that no agent is asked for: the runner carries them out itself. */
import type { CallContent } from "../run/identity.ts";
import { NATIVE_PROVIDER } from "../run/types.ts";
import type { CallPlan } from "./call.ts";
import type { CallSetting } from "./execution.ts";

type RunnerCall = Pick<CallContent, "primitive" | "prompt" | "label" | "mode"> &
  Partial<Pick<CallContent, "isolation" | "change">> &
  Pick<CallPlan, "kind" | "work" | "gate"> & {
    /** Who its row says did it. */
    readonly provider?: string;
    /** What its row shows as the prompt, where that is not what tells it from others. */
    readonly shown?: string;
  };

export function runnerPlan(
  { cwd, args }: CallSetting,
  {
    primitive,
    prompt,
    label,
    mode,
    isolation = "",
    change,
    provider = NATIVE_PROVIDER,
    shown = prompt,
    ...doing
  }: RunnerCall,
): CallPlan {
  return {
    content: {
      primitive,
      prompt,
      label,
      provider: "",
      model: "",
      mode,
      isolation,
      repo: cwd,
      schema: null,
      args,
      network: false,
      ...(change === undefined ? {} : { change }),
    },
    label,
    prompt: shown,
    providers: [provider],
    repo: cwd,
    schemaHash: "",
    ...doing,
  };
}
