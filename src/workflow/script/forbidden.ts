import type { AnyNode, Program } from "acorn";
import { faultAt, type ScriptFault } from "./fault.ts";
import { importFault } from "./module-syntax.ts";
import { walk } from "./walk.ts";

function evalFault(text: string, offset: number): ScriptFault {
  return faultAt(
    text,
    offset,
    "script_eval",
    "A workflow script cannot call eval()",
    "write the code into the script, or parse data with JSON.parse()",
  );
}

function isEvalCall(node: AnyNode): boolean {
  return (
    node.type === "CallExpression" &&
    node.callee.type === "Identifier" &&
    node.callee.name === "eval"
  );
}

function isImport(node: AnyNode): boolean {
  return (
    node.type === "ImportExpression" ||
    (node.type === "MetaProperty" && node.meta.name === "import")
  );
}

/**
 * Refuses dynamic imports, `import.meta` and direct calls of `eval`, wherever they stand.
 * @throws ScriptFault `script_import` or `script_eval` for the first of them.
 */
export function refuseForbidden(text: string, program: Program): void {
  // Only such text can hold one, and a walk over a large tree is not free.
  if (!/import|eval|\\u/.test(text)) return;
  const forbidden: AnyNode[] = [];
  walk(program, (node) => {
    if (isImport(node) || isEvalCall(node)) forbidden.push(node);
  });
  const first = forbidden.sort((a, b) => a.start - b.start)[0];
  if (first === undefined) return;
  throw isImport(first) ? importFault(text, first.start) : evalFault(text, first.start);
}
