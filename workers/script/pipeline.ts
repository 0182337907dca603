import { Group, type GroupPowers, readItems } from "./groups.ts";

type Stage = (previous: unknown, item: unknown, index: number) => unknown;
type Pipeline = (items: unknown, ...stages: unknown[]) => Promise<unknown[]>;

/**
 * `pipeline(items, ...stages)`: takes every item through `stage(previous, item, index)` one after
 * another, independently of the other items. A failed item becomes `null` and skips what is left.
 */
export function createPipeline(powers: GroupPowers): Pipeline {
  return async (items, ...stages) => {
    const list = readItems("pipeline", items);
    if (!stages.every(isStage)) throw new TypeError("pipeline stages must be functions");
    if (stages.length === 0) return list;
    const group = new Group(powers, "pipeline");
    const phase = powers.contexts.holdPhase(group.phase);
    try {
      const results = await Promise.all(
        list.map((item, index) => throughStages(group, stages, item, index)),
      );
      group.rethrowFatal();
      return results;
    } finally {
      phase.release();
    }
  };
}

function isStage(value: unknown): value is Stage {
  return typeof value === "function";
}

async function throughStages(
  group: Group,
  stages: readonly Stage[],
  item: unknown,
  index: number,
): Promise<unknown> {
  let previous = item;
  for (const [number, stage] of stages.entries()) {
    const label = `pipeline stage ${number} item ${index}`;
    const step = await group.step(`[${index}].${number}`, label, () =>
      stage(previous, item, index),
    );
    if (step.dropped || group.failed) return null;
    previous = step.value;
  }
  return previous;
}
