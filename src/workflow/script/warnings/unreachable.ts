/** Statements that never run, since what stands before them never comes to an end. */
import type { AnyNode } from "acorn";
import { type Finding, findingAt, type ScriptSource } from "./source.ts";

export interface DeadCode {
  /** The first statement that never runs. */
  readonly node: AnyNode;
  /** Where the statements end of which it is the first. */
  readonly end: number;
  readonly behind: AnyNode;
}

/** The first dead statement of each list of statements. */
export function findDeadCode(source: ScriptSource): readonly DeadCode[] {
  return source.nodes.flatMap((node) => {
    const statements = statementsOf(node);
    const last = statements.findIndex((statement) => !completes(statement));
    const behind = statements[last];
    if (behind === undefined) return [];
    const dead = statements.slice(last + 1).find(isWork);
    return dead === undefined
      ? []
      : [{ node: dead, end: statements.at(-1)?.end ?? dead.end, behind }];
  });
}

export function unreachableFindings(deadCode: readonly DeadCode[]): readonly Finding[] {
  return deadCode
    .filter(({ node }) => !deadCode.some((other) => isInside(node, other) && other.node !== node))
    .map(({ node, behind }) =>
      findingAt(node, "unreachable", `this never runs: it stands behind ${named(behind)}`),
    );
}

export function isInside(node: AnyNode, { node: first, end }: DeadCode): boolean {
  return node.start >= first.start && node.end <= end;
}

function statementsOf(node: AnyNode): readonly AnyNode[] {
  switch (node.type) {
    case "Program":
    case "BlockStatement":
    case "StaticBlock":
      return node.body;
    case "SwitchCase":
      return node.consequent;
    default:
      return [];
  }
}

/** Declarations of functions, and of variables without a value, count wherever they stand. */
function isWork(node: AnyNode): boolean {
  switch (node.type) {
    case "FunctionDeclaration":
    case "EmptyStatement":
      return false;
    case "VariableDeclaration":
      return node.kind !== "var" || node.declarations.some(({ init }) => init != null);
    default:
      return true;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  ReturnStatement: "a return",
  ThrowStatement: "a throw",
  BreakStatement: "a break",
  ContinueStatement: "a continue",
  WhileStatement: "a loop that never ends",
  ForStatement: "a loop that never ends",
};

function named({ type }: AnyNode): string {
  return NAMES[type] ?? "what always returns or throws";
}

/** Whether what follows a statement may be reached; where it is not plain, it may. */
function completes(node: AnyNode): boolean {
  switch (node.type) {
    case "ReturnStatement":
    case "ThrowStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return false;
    case "BlockStatement":
      return node.body.every(completes);
    case "IfStatement":
      return node.alternate == null || completes(node.consequent) || completes(node.alternate);
    case "TryStatement":
      if (node.finalizer != null && !completes(node.finalizer)) return false;
      return completes(node.block) || (node.handler != null && completes(node.handler.body));
    case "WhileStatement":
      return !isTrue(node.test) || leaves(node.body, 0);
    case "ForStatement":
      return (node.test != null && !isTrue(node.test)) || leaves(node.body, 0);
    default:
      return true;
  }
}

function isTrue(node: AnyNode): boolean {
  return node.type === "Literal" && (node.value === true || node.value === 1);
}

/** Whether a statement of a loop's body may break out of that loop; a break with a label is taken to. */
function leaves(node: AnyNode, depth: number): boolean {
  switch (node.type) {
    case "BreakStatement":
      return depth === 0 || node.label != null;
    case "BlockStatement":
      return node.body.some((inner) => leaves(inner, depth));
    case "IfStatement":
      return (
        leaves(node.consequent, depth) || (node.alternate != null && leaves(node.alternate, depth))
      );
    case "LabeledStatement":
      return leaves(node.body, depth);
    case "TryStatement":
      return [node.block, node.handler?.body, node.finalizer].some(
        (inner) => inner != null && leaves(inner, depth),
      );
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return leaves(node.body, depth + 1);
    case "SwitchStatement":
      return node.cases.some(({ consequent }) =>
        consequent.some((inner) => leaves(inner, depth + 1)),
      );
    default:
      return false;
  }
}
