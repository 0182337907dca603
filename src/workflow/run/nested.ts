/** `workflow(name, args?)`: a saved workflow as part of the run that asked for it. */
import { PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import { scriptValue } from "../calls/value.ts";
import type { CallMessage } from "../engine/protocol.ts";
import type { ScriptOutcome } from "../engine/script-host.ts";
import { positioned } from "./script-errors.ts";

/** Where in the run a script is: at the top, or where another one called it. */
export interface ScriptPlace {
  /** Comes before the scopes of its calls; empty at the top. */
  readonly scope: string;
  /** Of what is called outside of any phase of its own. */
  readonly phase: string;
  readonly isNested: boolean;
}

export const TOP: ScriptPlace = { scope: "", phase: "", isNested: false };

export interface NestedCall {
  readonly name: string;
  /** What the script finds as its `args`. */
  readonly args: Json;
  readonly place: ScriptPlace;
}

/** @throws PalliumError `workflow_name_required`, or `nested_depth` inside such a workflow. */
export function nestedCall(message: CallMessage, caller: ScriptPlace): NestedCall {
  const [given, args = null] = message.args;
  const name = typeof given === "string" ? given.trim() : "";
  if (name === "") {
    throw new PalliumError("workflow_name_required", "workflow name is required", {
      hints: ['name a saved workflow: workflow("security-audit", { task: "review auth" })'],
    });
  }
  if (caller.isNested) {
    throw new PalliumError(
      "nested_depth",
      `nested workflow depth exceeded while running "${name}"`,
      { hints: ["a workflow may run others; those may run none: call it from the outer script"] },
    );
  }
  const { scope, phase } = message;
  return { name, args, place: { scope, phase, isNested: true } };
}

/** A message as the run sees it, wherever its script is. */
export function placed<Message extends { readonly phase: string }>(
  message: Message & { readonly scope?: string },
  { scope, phase }: ScriptPlace,
): Message {
  const inner = message.scope ?? "";
  const path = scope !== "" && inner !== "" ? `${scope}/${inner}` : scope || inner;
  return {
    ...message,
    phase: message.phase || phase,
    ...(message.scope === undefined ? {} : { scope: path }),
  };
}

/**
 * What a saved workflow returned, as an agent's answer is given to a script.
 * @throws PalliumError with the code of its error.
 */
export function nestedValue(name: string, outcome: ScriptOutcome): Json {
  switch (outcome.kind) {
    case "returned": {
      const { value = null } = outcome;
      return typeof value === "string" ? scriptValue(value, false) : value;
    }
    case "failed": {
      const { code, fatal = false } = outcome.error;
      const message = `workflow "${name}" failed: ${positioned(outcome.error)}`;
      throw new PalliumError(code, message, {
        fatal,
        hints: [`the place is one in the script of the saved workflow ${name}`],
      });
    }
    default:
      throw new PalliumError("script_over", `workflow "${name}" was ended: ${outcome.kind}`, {
        fatal: true,
        hints: ["await what workflow() returns before the script ends"],
      });
  }
}
