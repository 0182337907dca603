/** `pallium.*`: what scripts ask of repository memory and of recorded decisions, which the host answers. */
import { HOST_PRIMITIVES } from "../../src/workflow/engine/protocol.ts";
import type { HostCalls } from "./host-calls.ts";
import { type Api, putUnder } from "./names.ts";

/** Adds the functions to what there is under the name `pallium` already. */
export function addPalliumApi(api: Api, calls: HostCalls): void {
  for (const primitive of HOST_PRIMITIVES) {
    if (!primitive.startsWith("pallium.")) continue;
    putUnder(api, primitive, (...given: unknown[]) => {
      const isPositional = primitive.startsWith("pallium.decisions.");
      const named = isPositional ? given : given.filter((value) => value !== undefined);
      const names = named.map((_, index) => `argument ${index + 1}`);
      return calls.call(primitive, names, named);
    });
  }
}
