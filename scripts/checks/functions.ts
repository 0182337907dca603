import type { Node, Program } from "acorn";

export interface MeasuredFunction {
  /** As declared, or as the variable, property or method it is the value of. */
  readonly name: string;
  /** 1-based line it begins on. */
  readonly line: number;
  /** Lines from its first to its last, both included. */
  readonly lines: number;
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The identifier below `id` or `key`, where a node has one. */
function nameOf(node: Node): string | undefined {
  const named = "id" in node ? node.id : "key" in node ? node.key : undefined;
  if (!isNode(named) || !("name" in named)) return undefined;
  return String(named.name);
}

function visit(node: Node, nameAround: string, found: MeasuredFunction[]): void {
  const name = nameOf(node) ?? nameAround;
  if (FUNCTIONS.includes(node.type) && node.loc) {
    const { start, end } = node.loc;
    found.push({ name, line: start.line, lines: end.line - start.line + 1 });
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, name, found);
    }
  }
}

/** Every function of a file, inner ones and methods included. */
export function functionsIn(tree: Program): readonly MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  visit(tree, "a function", found);
  return found;
}
