import type { AnyNode, ObjectExpression, Property, SpreadElement } from "acorn";
import type { Json } from "../../lib/json.ts";
import { faultAt, type ScriptFault } from "./fault.ts";

const LITERAL_HINT =
  "meta is read without running the script: use only strings, numbers, booleans, null, arrays and objects";

/** The fault of a node of the meta block. */
export function metaFault(text: string, node: { start: number }, message: string): ScriptFault {
  return faultAt(text, node.start, "script_meta", message, LITERAL_HINT);
}

function keyOf(text: string, property: Property): string {
  const { key } = property;
  if (!property.computed) {
    if (key.type === "Identifier") return key.name;
    if (key.type === "Literal" && typeof key.value !== "bigint") return String(key.value);
  }
  throw metaFault(text, key, "meta has a key that is no plain name");
}

function memberOf(text: string, property: Property | SpreadElement): [string, Json] {
  if (property.type !== "Property" || property.kind !== "init" || property.method) {
    throw metaFault(text, property, "meta has a member that is no plain value");
  }
  const key = keyOf(text, property);
  if (key === "__proto__") throw metaFault(text, property, "meta has the key __proto__");
  return [key, literalValue(text, property.value)];
}

function numberValue(text: string, node: AnyNode, value: number): number {
  if (Number.isFinite(value)) return value;
  throw metaFault(text, node, "meta has a number out of range");
}

function literalValue(text: string, node: AnyNode): Json {
  switch (node.type) {
    case "ObjectExpression":
      return Object.fromEntries(node.properties.map((property) => memberOf(text, property)));
    case "ArrayExpression":
      return node.elements.map((element) => {
        if (element === null) throw metaFault(text, node, "meta has an array with a hole");
        return literalValue(text, element);
      });
    case "TemplateLiteral": {
      const cooked = node.quasis[0]?.value.cooked;
      if (node.expressions.length === 0 && typeof cooked === "string") return cooked;
      break;
    }
    case "UnaryExpression": {
      const operand = node.argument.type === "Literal" ? node.argument.value : undefined;
      if (node.operator === "-" && typeof operand === "number") {
        return -numberValue(text, node, operand);
      }
      break;
    }
    case "Literal": {
      const { value } = node;
      if (typeof value === "number") return numberValue(text, node, value);
      if (typeof value === "string" || typeof value === "boolean") return value;
      if (value === null && node.raw === "null") return null;
      break;
    }
  }
  throw metaFault(text, node, "meta has a value that is no literal");
}

/**
 * The value of a meta block, read from its syntax tree: nothing in it is run.
 * @throws ScriptFault `script_meta` at the first node that is no literal.
 */
export function metaValue(text: string, node: ObjectExpression): Json {
  return literalValue(text, node);
}
