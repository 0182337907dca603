/** A parsed script with what is known of its names: what every search for mistakes goes by. */
import type { AnyNode, Program } from "acorn";
import type { Reference, ScopeManager, Variable } from "eslint-scope";
import { walk } from "../walk.ts";

/** A warning that does not know its line yet. */
export interface Finding {
  readonly code: string;
  /** One sentence without the place. */
  readonly message: string;
  readonly offset: number;
}

export interface ScriptSource {
  readonly program: Program;
  readonly scopes: ScopeManager;
  /** Names that nothing in the script declares. */
  readonly free: readonly Reference[];
  readonly parents: ReadonlyMap<AnyNode, AnyNode>;
  /** Every node, parents before their children. */
  readonly nodes: readonly AnyNode[];
  /** What declares the name that an identifier is; `undefined` where nothing in the script does. */
  variableOf(node: AnyNode): Variable | undefined;
}

/** @returns `undefined` for a script that is nested too deeply. */
export async function readSource(program: Program): Promise<ScriptSource | undefined> {
  const scopes = await analyzeScopes(program);
  if (scopes === undefined) return undefined;
  const parents = new Map<AnyNode, AnyNode>();
  const nodes: AnyNode[] = [];
  walk(program, (node, parent) => {
    nodes.push(node);
    if (parent !== undefined) parents.set(node, parent);
  });
  const variables = new Map<unknown, Variable>();
  for (const scope of scopes.scopes) {
    for (const { identifier, resolved } of scope.references) {
      if (resolved !== null) variables.set(identifier, resolved);
    }
  }
  const free = scopes.globalScope?.through ?? [];
  return {
    program,
    scopes,
    free,
    parents,
    nodes,
    variableOf: (node) => variables.get(node),
  };
}

async function analyzeScopes(program: Program): Promise<ScopeManager | undefined> {
  const { analyze } = await import("eslint-scope");
  try {
    return analyze(program as Parameters<typeof analyze>[0], {
      ecmaVersion: 2026,
      sourceType: "module",
      ignoreEval: true,
    });
  } catch (error) {
    // The analyser recurses deeper than the parser, which reads long chains in a loop.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function findingAt(
  node: { readonly start: number },
  code: string,
  message: string,
): Finding {
  return { code, message, offset: node.start };
}

/** The value that a constant is declared with, where an identifier is one; else the node itself. */
export function constantValue(source: ScriptSource, node: AnyNode): AnyNode {
  if (node.type !== "Identifier") return node;
  const declared = declaratorOf(source.variableOf(node));
  if (declared?.kind !== "const" || declared.node.id.type !== "Identifier") return node;
  return declared.node.init ?? node;
}

/** The only declaration of a variable, where it is one of `const`, `let` or `var`. */
export function declaratorOf(variable: Variable | undefined) {
  const [definition, second] = variable?.defs ?? [];
  if (definition?.type !== "Variable" || second !== undefined) return undefined;
  const node = definition.node as AnyNode;
  if (node.type !== "VariableDeclarator") return undefined;
  return { node, kind: definition.parent?.kind };
}

/** The text of a node that is one without running the script. */
export function constantText(source: ScriptSource, node: AnyNode): string | undefined {
  const value = constantValue(source, node);
  if (value.type === "Literal" && typeof value.value === "string") return value.value;
  if (value.type === "TemplateLiteral" && value.expressions.length === 0) {
    return value.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}
