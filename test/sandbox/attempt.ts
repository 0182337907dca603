import type { CallMessage } from "../../src/workflow/engine/protocol.ts";
import type { ScriptOutcome } from "../../src/workflow/engine/script-host.ts";
import { tryProgram } from "../support/script-host.ts";

function answer({ args: [value] }: CallMessage) {
  if (value === "fail") throw new Error("the host says no");
  return value ?? null;
}

/** Runs the body of an escape as it stands, in our worker unless another is named. */
export async function attempt(body: string, entry?: URL): Promise<ScriptOutcome> {
  const program = `(async function () {${body}\n})\n//# sourceURL=escape.js`;
  const options = { args: { list: [] }, answer };
  const { outcome } = await tryProgram(program, entry ? { ...options, entry } : options);
  return outcome;
}
