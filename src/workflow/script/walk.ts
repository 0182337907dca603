import type { AnyNode, Node } from "acorn";

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

/**
 * Visits every node of a syntax tree, parents before their children but siblings in no promised
 * order. It does not recurse, since trees can be deep.
 * @param visit is given the node that holds the visited one too; none holds the root.
 */
export function walk(
  root: Node,
  visit: (node: AnyNode, parent: AnyNode | undefined) => void,
): void {
  const pending: unknown[] = [root];
  const parents: (AnyNode | undefined)[] = [undefined];
  while (pending.length > 0) {
    const node = pending.pop();
    const parent = parents.pop();
    if (!isNode(node)) continue;
    visit(node, parent);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child !== "object") continue;
        pending.push(child);
        parents.push(node);
      }
    }
  }
}
