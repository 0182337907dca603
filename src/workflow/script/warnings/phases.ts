/** Phases that meta declares and the script never enters. */
import type { AnyNode } from "acorn";
import { isRecord, type Json } from "../../../lib/json.ts";
import { nearMatch } from "../../../lib/near-match.ts";
import type { ApiCall } from "./api-names.ts";
import {
  constantText,
  constantValue,
  type Finding,
  findingAt,
  type ScriptSource,
} from "./source.ts";
import { type DeadCode, isInside } from "./unreachable.ts";

/** Silent where a phase is entered whose name only a run can tell. */
export function findUnenteredPhases(
  source: ScriptSource,
  calls: readonly ApiCall[],
  meta: Json | null,
  deadCode: readonly DeadCode[],
): readonly Finding[] {
  const declared = declaredPhases(meta);
  if (declared.length === 0) return [];
  const entered = new Set<string>();
  for (const { name, node } of calls) {
    if (deadCode.some((dead) => isInside(node, dead))) continue;
    const named =
      name === "phase" ? [node.arguments[0]] : phaseOptions(source, name, node.arguments);
    for (const phase of named) {
      const text = phase === undefined ? undefined : constantText(source, phase);
      if (text === undefined) return [];
      entered.add(text.trim());
    }
  }
  const place = metaPlace(source);
  const undeclared = [...entered].filter((name) => !declared.includes(name));
  return declared
    .filter((name) => !entered.has(name))
    .map((name) => {
      const near = nearMatch(name, undeclared);
      const question = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      const message = `meta declares the phase ${JSON.stringify(name)}, which is never entered${question}`;
      return findingAt(place, "phase_not_entered", message);
    });
}

/** Names, or objects with a title, as other tools have them. */
export function declaredPhases(meta: Json | null): readonly string[] {
  const phases = isRecord(meta) && Array.isArray(meta.phases) ? meta.phases : [];
  return phases.flatMap((phase: unknown) => {
    const name = isRecord(phase) ? (phase.title ?? phase.name) : phase;
    return typeof name === "string" ? name.trim() : [];
  });
}

/** What agents are put under one by one. `undefined` for what cannot be read. */
function phaseOptions(
  source: ScriptSource,
  name: string,
  [, options]: readonly AnyNode[],
): readonly (AnyNode | undefined)[] {
  if ((name !== "agent" && name !== "coordinator.replan") || options === undefined) return [];
  const value = constantValue(source, options);
  if (value.type !== "ObjectExpression") return [undefined];
  return value.properties.flatMap((property) => {
    if (property.type === "SpreadElement") {
      return phaseOptions(source, name, [property, property.argument]);
    }
    const { key } = property;
    const isPhase =
      (key.type === "Identifier" && key.name === "phase" && !property.computed) ||
      (key.type === "Literal" && key.value === "phase");
    return isPhase ? [property.value] : [];
  });
}

/** The list of phases in the meta block. */
function metaPlace({ nodes, program }: ScriptSource): AnyNode {
  const [meta] = program.body;
  const inMeta = nodes.find(
    (node) =>
      node.type === "Property" &&
      meta !== undefined &&
      node.end <= meta.end &&
      node.key.type === "Identifier" &&
      node.key.name === "phases",
  );
  return inMeta ?? program;
}
