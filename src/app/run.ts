import { dispatch } from "../cli/dispatch.ts";
import { createInterrupts } from "../cli/interrupts.ts";
import type { Output, Program } from "../cli/program.ts";
import { createRegistry } from "../cli/registry.ts";
import { loadBadges } from "./badges.ts";
import { readEnvironment } from "./env.ts";
import { processSignals } from "./signals.ts";
import { versionInfo } from "./version.ts";

/** Runs the command line of this process; resolves with its exit status. */
export async function runCommandLine(output: Output): Promise<number> {
  const environment = readEnvironment();
  const program: Program = {
    environment,
    version: versionInfo(environment.self),
    output,
    interrupts: createInterrupts(processSignals()),
    loadBadges,
    createServices: async (announce) => {
      const { createServices, recoverCheckout } = await import("./wire.ts");
      await recoverCheckout(environment, announce);
      return createServices(environment, announce);
    },
    outputSchema: async (operation) =>
      (await import("../operations/schemas.ts")).outputSchema(operation),
  };
  return dispatch(program, createRegistry(program));
}
