/** Promises that nothing waits for, and promises that are taken for the values they promise. */
import type { AnyNode } from "acorn";
import type { ApiCall } from "./api-names.ts";
import { type Fate, fateOf } from "./promise-fate.ts";
import { type FunctionNode, isFunction, type KnownPromise, knownPromises } from "./promises.ts";
import { type Finding, findingAt, type ScriptSource } from "./source.ts";

export const NOT_AWAITED = "not_awaited";

export function findUnawaited(source: ScriptSource, calls: readonly ApiCall[]): readonly Finding[] {
  const returning = new Map<AnyNode, KnownPromise>();
  const warnings = knownPromises(source, calls).flatMap((promise) => {
    const fate = fateOf(source, promise.node);
    if (fate.kind !== "returned") return ofFate(source, promise, fate);
    const owner = enclosingFunction(source, fate.from);
    if (owner !== undefined && !returning.has(owner)) returning.set(owner, promise);
    return [];
  });
  const waiting = waitingFunctions(source);
  const callbacks = source.nodes.filter(isFunction).flatMap((node) => {
    const name = returning.get(node)?.name ?? (waiting.has(node) ? "its callback" : undefined);
    return name === undefined ? [] : ofCallback(source, node, name);
  });
  return [...warnings, ...callbacks];
}

function ofFate(source: ScriptSource, { node, name }: KnownPromise, fate: Fate): Finding[] {
  switch (fate.kind) {
    case "dropped":
      return [
        findingAt(
          node,
          NOT_AWAITED,
          `nothing awaits ${name}: the script may end before it does, and its failure is not noticed`,
        ),
      ];
    case "mistaken":
      return [mistaken(node, name, fate.use)];
    case "kept":
      return ofVariable(source, name, fate.declarator);
    default:
      return [];
  }
}

function mistaken(node: AnyNode, name: string, use: string): Finding {
  const message = `${name} answers with a promise; await it before you ${use}`;
  return findingAt(node, NOT_AWAITED, message);
}

/** What becomes of a promise under a name that always means this one. */
function ofVariable(
  source: ScriptSource,
  name: string,
  declarator: AnyNode & { readonly type: "VariableDeclarator" },
): Finding[] {
  const [variable] = source.scopes.getDeclaredVariables(
    declarator as Parameters<ScriptSource["scopes"]["getDeclaredVariables"]>[0],
  );
  if (variable === undefined) return [];
  const reads = variable.references.filter((reference) => reference.isRead());
  if (reads.length === 0) {
    const message = `nothing awaits ${name}: its promise is kept as ${variable.name}, which is never read`;
    return [findingAt(declarator, NOT_AWAITED, message)];
  }
  if (variable.references.filter((reference) => reference.isWrite()).length > 1) return [];
  for (const { identifier } of reads) {
    const read = identifier as unknown as AnyNode;
    const fate = fateOf(source, read);
    if (fate.kind === "mistaken") {
      return [mistaken(read, `${variable.name}, from ${name},`, fate.use)];
    }
  }
  return [];
}

/** `forEach` throws away what its callback returns; `map` makes a list of it, which no `await` waits for. */
function ofCallback(source: ScriptSource, node: FunctionNode, name: string): Finding[] {
  const call = source.parents.get(node);
  if (call?.type !== "CallExpression" || call.arguments[0] !== node) return [];
  const { callee } = call;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const method = callee.property.name;
  if (method === "forEach") {
    const message = `forEach does not wait for ${name}: use parallel(items, fn), or await in a for...of loop`;
    return [findingAt(callee.property, NOT_AWAITED, message)];
  }
  if (method !== "map") return [];
  const { kind } = fateOf(source, call);
  if (kind !== "dropped" && kind !== "awaited") return [];
  const message = `nothing awaits ${name}: map makes a list of promises; use parallel(items, fn), or await Promise.all`;
  return [findingAt(callee.property, NOT_AWAITED, message)];
}

function enclosingFunction({ parents }: ScriptSource, start: AnyNode): AnyNode | undefined {
  for (let node: AnyNode | undefined = start; node !== undefined; node = parents.get(node)) {
    if (isFunction(node)) return node;
  }
  return undefined;
}

/** Functions that wait for something themselves, and so answer with a promise. */
function waitingFunctions(source: ScriptSource): ReadonlySet<AnyNode | undefined> {
  const waits = source.nodes.filter(({ type }) => type === "AwaitExpression");
  return new Set(waits.map((node) => enclosingFunction(source, node)));
}
