/** The expressions of a script that are promises for certain. */
import type { AnyNode } from "acorn";
import { type ApiCall, PROMISING } from "./api-names.ts";
import { constantValue, type ScriptSource } from "./source.ts";

export interface KnownPromise {
  readonly node: AnyNode;
  /** What makes it, such as `agent()`. */
  readonly name: string;
}

export type FunctionNode = AnyNode & {
  readonly type: "ArrowFunctionExpression" | "FunctionExpression" | "FunctionDeclaration";
};

const COMBINATORS: ReadonlySet<string> = new Set(["all", "allSettled", "any", "race"]);

/** Calls of the script API, of the script's own async functions, and of what waits for several promises. */
export function knownPromises(
  source: ScriptSource,
  calls: readonly ApiCall[],
): readonly KnownPromise[] {
  const ofApi = calls.flatMap(({ name, node }) =>
    PROMISING.has(name) || (name === "phase" && isAsync(source, node.arguments[1]))
      ? [{ node, name: `${name}()` }]
      : [],
  );
  const others = source.nodes.flatMap((node) => {
    const name = node.type === "CallExpression" ? otherName(source, node.callee) : undefined;
    return name === undefined ? [] : [{ node, name: `${name}()` }];
  });
  return [...ofApi, ...others];
}

function otherName(source: ScriptSource, callee: AnyNode): string | undefined {
  if (callee.type === "Identifier") return isAsync(source, callee) ? callee.name : undefined;
  if (callee.type !== "MemberExpression" || callee.computed) return undefined;
  const { object, property } = callee;
  if (object.type !== "Identifier" || object.name !== "Promise") return undefined;
  if (source.variableOf(object) !== undefined || property.type !== "Identifier") return undefined;
  return COMBINATORS.has(property.name) ? `Promise.${property.name}` : undefined;
}

export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === "ArrowFunctionExpression" ||
    node.type === "FunctionExpression" ||
    node.type === "FunctionDeclaration"
  );
}

/** Whether a node is, or names, a function that answers with a promise whatever it does. */
function isAsync(source: ScriptSource, node: AnyNode | undefined): boolean {
  if (node === undefined) return false;
  const value = declaredFunction(source, node) ?? constantValue(source, node);
  return isFunction(value) && value.async && !value.generator;
}

/** The declaration that an identifier is the only name of. */
function declaredFunction(source: ScriptSource, node: AnyNode): AnyNode | undefined {
  const variable = source.variableOf(node);
  const [definition, second] = variable?.defs ?? [];
  if (definition?.type !== "FunctionName" || second !== undefined) return undefined;
  if (variable?.references.some((reference) => reference.isWrite())) return undefined;
  return definition.node as AnyNode;
}
