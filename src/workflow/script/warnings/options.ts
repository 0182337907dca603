/** Options that a call does not have, and functions that the script API does not have. */
import type { AnyNode, ObjectExpression } from "acorn";
import { nearMatch } from "../../../lib/near-match.ts";
import { OPTIONS_OF_CALLS, type OptionsOfCall } from "../../calls/option-specs.ts";
import { foldOption } from "../../calls/options.ts";
import { HOST_PRIMITIVES, type HostPrimitive } from "../../engine/protocol.ts";
import { type ApiCall, apiName } from "./api-names.ts";
import { constantValue, type Finding, findingAt, type ScriptSource } from "./source.ts";

const UNKNOWN_OPTION = "unknown_option";
const UNKNOWN_FUNCTION = "unknown_function";

/** Objects of the script API of which every member is known. */
const OBJECTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["budget", ["total", "spent", "remaining"]],
  ...["verify", "coordinator", "pallium", "pallium.task", "pallium.decisions"].map(
    (owner): [string, readonly string[]] => [owner, membersOf(owner)],
  ),
]);

function membersOf(owner: string): readonly string[] {
  const members = HOST_PRIMITIVES.flatMap((name) => {
    if (!name.startsWith(`${owner}.`)) return [];
    return name.slice(owner.length + 1).split(".", 1);
  });
  return [...new Set(members)];
}

/** Options are looked at where they stand in the call, or in an object that a constant holds. */
export function findUnknownOptions(
  source: ScriptSource,
  calls: readonly ApiCall[],
): readonly Finding[] {
  return calls.flatMap(({ name, node }) => {
    const options = OPTIONS_OF_CALLS[name as HostPrimitive];
    if (options === undefined) return [];
    const given = optionsObject(source, node.arguments, options);
    return given === undefined ? [] : unknownKeys(source, name, options, given);
  });
}

function optionsObject(
  source: ScriptSource,
  args: readonly AnyNode[],
  { at }: OptionsOfCall,
): ObjectExpression | undefined {
  // What a spread stands for is not known, nor what comes where behind it.
  if (args.some(({ type }) => type === "SpreadElement")) return undefined;
  const node = at === "last" ? args.at(-1) : args[at];
  if (node === undefined) return undefined;
  const value = constantValue(source, node);
  return value.type === "ObjectExpression" ? value : undefined;
}

function unknownKeys(
  source: ScriptSource,
  call: string,
  options: OptionsOfCall,
  { properties }: ObjectExpression,
): Finding[] {
  return properties.flatMap((property) => {
    if (property.type === "SpreadElement") {
      const spread = constantValue(source, property.argument);
      return spread.type === "ObjectExpression" ? unknownKeys(source, call, options, spread) : [];
    }
    const key = keyOf(property);
    const known = Object.keys(options.spec);
    if (key === undefined || known.map(foldOption).includes(foldOption(key))) return [];
    const near = nearMatch(key, known);
    const question = near === undefined ? "" : `; did you mean ${near}?`;
    const message = `${call} has no option ${key}${question}`;
    return [findingAt(property, UNKNOWN_OPTION, message)];
  });
}

function keyOf(property: ObjectExpression["properties"][number]): string | undefined {
  if (property.type === "SpreadElement" || property.computed) return undefined;
  const { key } = property;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** What is read of an object of the script API and is not there, which is `undefined` and no function. */
export function findUnknownFunctions(source: ScriptSource): readonly Finding[] {
  return source.nodes.flatMap((node) => {
    if (node.type !== "MemberExpression" || node.computed) return [];
    if (node.property.type !== "Identifier") return [];
    const owner = apiName(source, node.object);
    const members = owner === undefined ? undefined : OBJECTS.get(owner);
    const { name } = node.property;
    if (members === undefined || members.includes(name)) return [];
    const near = nearMatch(name, members);
    const instead = near === undefined ? `it has ${members.join(", ")}` : `did you mean ${near}?`;
    const message = `${owner} has no ${name}; ${instead}`;
    return [findingAt(node.property, UNKNOWN_FUNCTION, message)];
  });
}
