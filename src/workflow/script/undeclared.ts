import type { Program } from "acorn";
import type { Reference, ScopeManager } from "eslint-scope";
import { nearMatch } from "../../lib/near-match.ts";
import { LANGUAGE_GLOBALS, SCRIPT_API_NAMES } from "./constants.ts";
import { positionAt, type ScriptWarning } from "./fault.ts";
import { HOST_NAMES } from "./host-names.ts";
import { walk } from "./walk.ts";

const KNOWN: ReadonlySet<string> = new Set([...LANGUAGE_GLOBALS, ...SCRIPT_API_NAMES]);
/** Names reported one by one; a longer list is no help to anybody. */
const REPORTED = 50;
const LONGEST_SUGGESTION = 64;

interface FreeName {
  readonly name: string;
  readonly offset: number;
  readonly assigned: boolean;
}

/** Offsets of names that are only asked for their type, which is safe for any name. */
function typeofOperands(program: Program): ReadonlySet<number> {
  const offsets = new Set<number>();
  walk(program, (node) => {
    if (node.type === "UnaryExpression" && node.operator === "typeof") {
      if (node.argument.type === "Identifier") offsets.add(node.argument.start);
    }
  });
  return offsets;
}

function offsetOf(reference: Reference): number {
  return reference.identifier.range?.[0] ?? 0;
}

/** The first use of each name that nothing declares; an assignment outranks a read. */
function freeNames(references: readonly Reference[], program: Program): FreeName[] {
  const onlyTyped = typeofOperands(program);
  const names = new Map<string, FreeName>();
  for (const reference of references) {
    const { name } = reference.identifier;
    const offset = offsetOf(reference);
    if (KNOWN.has(name) || onlyTyped.has(offset)) continue;
    const use = { name, offset, assigned: reference.isWrite() };
    const earlier = names.get(name);
    if (earlier === undefined || (use.assigned && !earlier.assigned)) names.set(name, use);
  }
  return [...names.values()].sort((a, b) => a.offset - b.offset);
}

function sentence({ name, assigned }: FreeName, declared: readonly string[]): string {
  const instead = HOST_NAMES.get(name);
  if (instead !== undefined) return `${name} does not exist in workflow scripts: ${instead}`;
  const near = nearMatch(name, [...SCRIPT_API_NAMES, ...declared, ...LANGUAGE_GLOBALS]);
  const question = near === undefined ? "" : `; did you mean ${near}?`;
  return assigned
    ? `${name} is assigned but never declared, which throws${question}`
    : `${name} is not declared, so it reads as undefined${question}`;
}

function declaredNames(scopes: ScopeManager): string[] {
  const names = scopes.scopes.flatMap((scope) => scope.variables.map(({ name }) => name));
  return [...new Set(names)].filter(
    (name) => name !== "arguments" && name.length <= LONGEST_SUGGESTION,
  );
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

/**
 * Names that a script uses and nothing declares: in a compartment they read as `undefined`, so a
 * misspelt name would otherwise only show in a wrong result. One warning per name, at its first
 * use; `typeof name` does not count.
 * @param text the script that `program` was parsed from, with ranges.
 */
export async function findUndeclared(text: string, program: Program): Promise<ScriptWarning[]> {
  const scopes = await analyzeScopes(program);
  if (scopes === undefined) {
    const message = "The script is nested too deeply to look for undeclared names";
    return [{ code: "unchecked", message, line: 1, column: 1 }];
  }
  const names = freeNames(scopes.globalScope?.through ?? [], program);
  const declared = declaredNames(scopes);
  const warnings = names.slice(0, REPORTED).map((name) => ({
    code: "undeclared",
    message: sentence(name, declared),
    ...positionAt(text, name.offset),
  }));
  const next = names[REPORTED];
  if (next !== undefined) {
    const message = `${names.length - REPORTED} more names are not declared`;
    warnings.push({ code: "undeclared", message, ...positionAt(text, next.offset) });
  }
  return warnings;
}
