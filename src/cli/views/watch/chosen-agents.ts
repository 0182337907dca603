/** Which agents and phases are shown where there are more than rows. Pure. */
import type { WatchedAgent, WatchedPhase } from "../../../workflow/live/frame.ts";

/** A phase and those of its agents that are shown; the name is empty for agents outside of any. */
export interface Section {
  readonly name: string;
  readonly status?: WatchedPhase["status"];
  readonly agents: readonly WatchedAgent[];
}

export interface Choice {
  readonly sections: readonly {
    readonly section: Section;
    readonly shown: readonly WatchedAgent[];
  }[];
  /** Agents that there was no room for. */
  readonly hidden: readonly WatchedAgent[];
}

/** Phases in their order, before them the agents that belong to none. */
export function sectionsOf(
  phases: readonly WatchedPhase[],
  agents: readonly WatchedAgent[],
): Section[] {
  const inPhase = Map.groupBy(agents, ({ phase = "" }) => phase);
  const known = new Set(phases.map(({ name }) => name));
  const others = [...inPhase].filter(([name]) => !known.has(name));
  return [
    ...others.map(([name, own]) => ({ name, agents: own })),
    ...phases.map((phase) => ({ ...phase, agents: inPhase.get(phase.name) ?? [] })),
  ];
}

/**
 * Those at work come first, then what went wrong, then what ended last; each section takes a row for
 * its heading, and one row says what is hidden.
 */
export function chooseAgents(sections: readonly Section[], rows: number): Choice {
  const all = sections.flatMap((section) => section.agents.map((agent) => ({ section, agent })));
  if (sections.length + all.length <= rows) {
    return {
      sections: sections.map((section) => ({ section, shown: section.agents })),
      hidden: [],
    };
  }
  let left = rows - 1;
  const headed = new Set<Section>();
  const shown = new Set<WatchedAgent>();
  for (const { section, agent } of all.toSorted((a, b) => byInterest(a.agent, b.agent))) {
    const needed = headed.has(section) ? 1 : 2;
    if (needed > left) continue;
    left -= needed;
    headed.add(section);
    shown.add(agent);
  }
  for (const section of sections.toReversed()) {
    if (left <= 0 || headed.has(section)) continue;
    headed.add(section);
    left -= 1;
  }
  return {
    sections: sections
      .filter((section) => headed.has(section))
      .map((section) => ({ section, shown: section.agents.filter((agent) => shown.has(agent)) })),
    hidden: all.map(({ agent }) => agent).filter((agent) => !shown.has(agent)),
  };
}

function byInterest(a: WatchedAgent, b: WatchedAgent): number {
  const order = interest(a) - interest(b);
  if (order !== 0) return order;
  const [one, other] = [a.ended_at ?? "", b.ended_at ?? ""];
  return one === other ? 0 : one < other ? 1 : -1;
}

function interest({ status }: WatchedAgent): number {
  if (status === "running") return 0;
  return status === "completed" ? 2 : 1;
}
