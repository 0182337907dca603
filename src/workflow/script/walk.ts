import type { AnyNode, Node } from "acorn";

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

/**
 * Visits every node of a syntax tree, parents before their children but siblings in no promised
 * order. It does not recurse, since trees can be deep.
 */
export function walk(root: Node, visit: (node: AnyNode) => void): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!isNode(node)) continue;
    visit(node);
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const item of value) pending.push(item);
      else if (typeof value === "object") pending.push(value);
    }
  }
}
