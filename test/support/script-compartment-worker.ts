/** Evaluates prepared programs in a locked-down compartment, as a script worker does. */
import "ses";
import { WITHHELD_GLOBALS } from "../../src/workflow/script/constants.ts";

declare const self: Worker;

lockdown({ overrideTaming: "severe", errorTaming: "safe", reporting: "none" });

function freshCompartment(): Compartment {
  const compartment = new Compartment();
  for (const name of WITHHELD_GLOBALS) delete compartment.globalThis[name];
  return compartment;
}

async function run(program: string): Promise<unknown> {
  if (program === "") return Object.getOwnPropertyNames(freshCompartment().globalThis);
  return await freshCompartment().evaluate(program)();
}

self.onmessage = async ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage({ value: (await run(data)) ?? null });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
