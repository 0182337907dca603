/** What a script does with a promise, as far as its text shows. */
import type { AnyNode, MemberExpression } from "acorn";
import type { ScriptSource } from "./source.ts";

export type Fate =
  /** Awaited, passed on, compared, or thrown away on purpose with `void`. */
  | { readonly kind: "used" }
  | { readonly kind: "dropped" }
  | {
      readonly kind: "kept";
      readonly declarator: AnyNode & { readonly type: "VariableDeclarator" };
    }
  /** What the function at hand returns. */
  | { readonly kind: "returned"; readonly from: AnyNode }
  | { readonly kind: "awaited" }
  /** Taken for the value that it is a promise of; `use` says for what, such as `decide by it`. */
  | { readonly kind: "mistaken"; readonly use: string };

const USED: Fate = { kind: "used" };
const DROPPED: Fate = { kind: "dropped" };
const METHODS: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
/** `===` tells a promise from nothing, which is no mistake. */
const COMPUTING = /^(?:[-+*/%<>|&^]|[<>]=|\*\*|<<|>>>?)$/;

/** Follows a promise from the expression that makes it to where its way ends. */
export function fateOf({ parents }: ScriptSource, start: AnyNode): Fate {
  let node = start;
  for (;;) {
    const parent = parents.get(node);
    if (parent === undefined) return USED;
    const next = step(parents, node, parent);
    if ("kind" in next) return next;
    node = next.on;
  }
}

function step(
  parents: ScriptSource["parents"],
  node: AnyNode,
  parent: AnyNode,
): Fate | { readonly on: AnyNode } {
  switch (parent.type) {
    case "ChainExpression":
      return { on: parent };
    case "LogicalExpression":
      return { on: parent };
    case "ConditionalExpression":
      return parent.test === node ? mistaken("decide by it") : { on: parent };
    case "SequenceExpression":
      return parent.expressions.at(-1) === node ? { on: parent } : DROPPED;
    case "ExpressionStatement":
      return DROPPED;
    case "ForStatement":
      return parent.test === node ? mistaken("decide by it") : DROPPED;
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return mistaken("decide by it");
    case "UnaryExpression":
      if (parent.operator === "void") return USED;
      return parent.operator === "!" ? mistaken("decide by it") : mistaken("compute with it");
    case "BinaryExpression":
      return COMPUTING.test(parent.operator) ? mistaken("compute with it") : USED;
    case "TemplateLiteral":
      return parents.get(parent)?.type === "TaggedTemplateExpression"
        ? USED
        : mistaken("put it into text");
    case "ForOfStatement":
      return parent.right === node && !parent.await ? mistaken("go through it") : USED;
    case "SpreadElement":
      return mistaken("spread it");
    case "MemberExpression":
      return parent.object === node ? member(parents, parent) : USED;
    case "AwaitExpression":
      return { kind: "awaited" };
    case "ReturnStatement":
      return { kind: "returned", from: parent };
    case "ArrowFunctionExpression":
      return parent.body === node ? { kind: "returned", from: parent } : USED;
    case "VariableDeclarator":
      if (parent.init !== node) return USED;
      if (parent.id.type === "Identifier") return { kind: "kept", declarator: parent };
      return mistaken("take it apart");
    default:
      return USED;
  }
}

function mistaken(use: string): Fate {
  return { kind: "mistaken", use };
}

/** `.then(…)` and its like make another promise of it. */
function member(
  parents: ScriptSource["parents"],
  node: MemberExpression,
): Fate | { readonly on: AnyNode } {
  const { property } = node;
  if (node.computed) {
    const key = property.type === "Literal" ? `[${property.raw}]` : "[…]";
    return mistaken(`read ${key} of it`);
  }
  const name = property.type === "Identifier" ? property.name : "";
  if (!METHODS.has(name)) return mistaken(`read .${name} of it`);
  const call = parents.get(node as AnyNode);
  return call?.type === "CallExpression" && call.callee === node ? { on: call } : USED;
}
