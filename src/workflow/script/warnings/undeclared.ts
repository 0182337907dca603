import type { Reference } from "eslint-scope";
import { nearMatch } from "../../../lib/near-match.ts";
import { LANGUAGE_GLOBALS, SCRIPT_API_NAMES } from "../constants.ts";
import { HOST_NAMES } from "./host-names.ts";
import type { Finding, ScriptSource } from "./source.ts";

const KNOWN: ReadonlySet<string> = new Set([...LANGUAGE_GLOBALS, ...SCRIPT_API_NAMES]);
const LONGEST_SUGGESTION = 64;

interface FreeName {
  readonly name: string;
  readonly offset: number;
  readonly assigned: boolean;
}

/** Offsets of names that are only asked for their type, which is safe for any name. */
function typeofOperands({ nodes }: ScriptSource): ReadonlySet<number> {
  const offsets = new Set<number>();
  for (const node of nodes) {
    if (node.type === "UnaryExpression" && node.operator === "typeof") {
      if (node.argument.type === "Identifier") offsets.add(node.argument.start);
    }
  }
  return offsets;
}

function offsetOf(reference: Reference): number {
  return reference.identifier.range?.[0] ?? 0;
}

/** The first use of each name that nothing declares; an assignment outranks a read. */
function freeNames(source: ScriptSource): FreeName[] {
  const onlyTyped = typeofOperands(source);
  const names = new Map<string, FreeName>();
  for (const reference of source.free) {
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

function declaredNames({ scopes }: ScriptSource): string[] {
  const names = scopes.scopes.flatMap((scope) => scope.variables.map(({ name }) => name));
  return [...new Set(names)].filter(
    (name) => name !== "arguments" && name.length <= LONGEST_SUGGESTION,
  );
}

/**
 * Names that a script uses and nothing declares: in a compartment they read as `undefined`, so a
 * misspelt name would otherwise only show in a wrong result. One finding per name, at its first
 * use; `typeof name` does not count.
 */
export function findUndeclared(source: ScriptSource): readonly Finding[] {
  const declared = declaredNames(source);
  return freeNames(source).map((name) => ({
    code: "undeclared",
    // Looking for near names takes time, and of a flood only the first are shown.
    get message() {
      return sentence(name, declared);
    },
    offset: name.offset,
  }));
}
