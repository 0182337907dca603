/** What calls are made from where a script is run and none of its calls is: no observer, no fallback. */
import type { Json } from "../../lib/json.ts";
import { findExecutable } from "../../platform/process/executable.ts";
import { createProviders } from "../../providers/resolve.ts";
import type { CallSetting } from "../calls/execution.ts";
import { createFinishedCalls } from "../calls/finished.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { Settings } from "../settings/in-force.ts";

export interface UnpaidRun {
  readonly cwd: string;
  readonly args: Json;
  /** Per agent; 0 for none. */
  readonly timeoutSeconds: number;
  readonly allowNetwork: boolean;
  readonly codexBinary: string;
  readonly settings: Settings;
}

/** @param notice is told what a run would tell about a call. */
export function unpaidSetting(
  { environment }: Pick<WorkflowPowers, "environment">,
  { cwd, args, timeoutSeconds, allowNetwork, codexBinary, settings }: UnpaidRun,
  notice: (line: string) => void = () => {},
): CallSetting {
  const variables = { ...environment.variables, ...settings.variables };
  return {
    cwd,
    args,
    timeoutSeconds,
    allowNetwork,
    providers: createProviders({
      variables,
      codexBinary,
      claudeBinary: settings.claude,
      models: settings.models,
      findExecutable: (program) => findExecutable(program, variables.PATH ?? "", cwd),
    }),
    fallback: [],
    finished: createFinishedCalls(),
    notice,
  };
}
