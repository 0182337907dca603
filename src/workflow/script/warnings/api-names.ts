/** Which function of the script API a call is of. */
import type { AnyNode, CallExpression } from "acorn";
import { HOST_PRIMITIVES } from "../../engine/protocol.ts";
import { SCRIPT_API_NAMES } from "../constants.ts";
import type { ScriptSource } from "./source.ts";

const API: ReadonlySet<string> = new Set(SCRIPT_API_NAMES);

/** What answers with a promise. */
export const PROMISING: ReadonlySet<string> = new Set([...HOST_PRIMITIVES, "parallel", "pipeline"]);

export interface ApiCall {
  /** Such as `agent` or `verify.untilGreen`. */
  readonly name: string;
  readonly node: CallExpression;
}

/** Every call of a function of the script API by its own name, in the order of the text. */
export function apiCalls(source: ScriptSource): readonly ApiCall[] {
  return source.nodes
    .flatMap((node) => {
      if (node.type !== "CallExpression") return [];
      const name = apiName(source, node.callee);
      return name === undefined ? [] : [{ name, node }];
    })
    .sort((a, b) => a.node.start - b.node.start);
}

/** The dotted name of a function or object of the script API. */
export function apiName(source: ScriptSource, node: AnyNode): string | undefined {
  if (node.type === "ChainExpression") return apiName(source, node.expression);
  if (node.type === "Identifier") {
    return API.has(node.name) && source.variableOf(node) === undefined ? node.name : undefined;
  }
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  if (node.property.type !== "Identifier") return undefined;
  const owner = apiName(source, node.object);
  return owner === undefined ? undefined : `${owner}.${node.property.name}`;
}
