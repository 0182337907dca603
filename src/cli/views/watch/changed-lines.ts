/** A watched run for a pipe: only the lines that have changed, one below the other. */
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import { shortTime } from "../../../lib/short-time.ts";
import type { WatchedAgent, WatchFrame } from "../../../workflow/live/frame.ts";
import { agentDetail, agentMs, agentName, dollars } from "./agent-row.ts";

/** @returns what gives the lines of a frame that are not as in the one before. */
export function changedLines(): (frame: WatchFrame) => string[] {
  const printed = new Map<string, string>();
  return (frame) => {
    const lines = linesOf(frame).filter(([key, line]) => printed.get(key) !== line);
    for (const [key, line] of lines) printed.set(key, line);
    return lines.map(([, line]) => line);
  };
}

/** Each under a key of what it is about. Time alone changes none of them. */
function linesOf(frame: WatchFrame): [key: string, line: string][] {
  const status: [string, string] = ["run", frame.verdict];
  return [
    ...(frame.final ? [] : [status]),
    ...frame.phases.map(({ name, status: now }): [string, string] => [
      `phase ${name}`,
      `phase ${printable(oneLine(name))}: ${now}`,
    ]),
    ...frame.agents.map((agent): [string, string] => [`agent ${agent.id}`, agentLine(agent)]),
    ...frame.gates.map(({ name, next }): [string, string] => [
      `gate ${name}`,
      `gate ${printable(oneLine(name))} waits for a decision: ${next[0] ?? ""}`,
    ]),
    ...(frame.final ? [status, ["pace", paceLine(frame)] as [string, string]] : []),
  ];
}

function agentLine(agent: WatchedAgent): string {
  const isAtWork = agent.status === "running";
  const took = isAtWork ? "" : ` in ${shortTime(agentMs(agent, 0))}`;
  const cost = isAtWork || agent.cost_usd === 0 ? "" : ` for ${dollars(agent.cost_usd)}`;
  const detail = agentDetail(agent);
  return `${agentName(agent)}: ${agent.status}${took}${cost}${detail === "" ? "" : `, ${detail}`}`;
}

function paceLine(frame: WatchFrame): string {
  const { elapsed_ms, spent_usd, usd_per_minute } = frame;
  return `${shortTime(elapsed_ms)}, $${spent_usd.toFixed(4)}, $${usd_per_minute.toFixed(4)} a minute`;
}
