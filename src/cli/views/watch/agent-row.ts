/** One agent of a watched run, in one row. */
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import { shortTime } from "../../../lib/short-time.ts";
import type { WatchedAgent } from "../../../workflow/live/frame.ts";
import type { AgentStatus } from "../../../workflow/run/types.ts";
import type { Format } from "../../colours.ts";
import { cellWidth } from "../cells.ts";
import { fitted, type Span } from "../spans.ts";

const MARKS: Readonly<Record<AgentStatus, { readonly mark: string; readonly format: Format }>> = {
  running: { mark: "●", format: "cyan" },
  completed: { mark: "✓", format: "green" },
  failed: { mark: "✗", format: "red" },
  stopped: { mark: "■", format: "yellow" },
  paused: { mark: "‖", format: "yellow" },
  interrupted: { mark: "✗", format: "yellow" },
};
const TIME_COLUMNS = 7;
const COST_COLUMNS = 8;
/** Where what each agent cost has room. */
const WIDE = 100;
const WIDEST_NAME = 32;

export interface AgentColumns {
  readonly name: number;
  readonly status: number;
  readonly cost: number;
}

export function agentColumns(agents: readonly WatchedAgent[], columns: number): AgentColumns {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(cellWidth));
  const most = Math.min(WIDEST_NAME, Math.floor(columns / 3));
  return {
    name: Math.min(most, longest(agents.map(agentName))),
    status: longest(agents.map(({ status }) => status)),
    cost: columns >= WIDE ? COST_COLUMNS : 0,
  };
}

export function agentName({ label, id }: WatchedAgent): string {
  return printable(oneLine(label ?? id));
}

/** How long it works, or worked. */
export function agentMs({ started_at, ended_at }: WatchedAgent, nowMs: number): number {
  return (ended_at === undefined ? nowMs : Date.parse(ended_at)) - Date.parse(started_at);
}

export function agentRow(agent: WatchedAgent, columns: AgentColumns, nowMs: number): Span[] {
  const { mark, format } = MARKS[agent.status];
  const detail = agentDetail(agent);
  const cost = columns.cost === 0 ? "" : fitted(dollars(agent.cost_usd), columns.cost, "right");
  return [
    { text: `  ${mark} `, format },
    { text: `${fitted(agentName(agent), columns.name)}  ` },
    { text: fitted(agent.status, columns.status), format },
    { text: fitted(shortTime(agentMs(agent, nowMs)), TIME_COLUMNS + 1, "right") },
    { text: cost },
    { text: detail === "" ? "" : `  ${detail}`, format: agent.status === "failed" ? "red" : "dim" },
  ];
}

/** What it printed last, or why it failed. */
export function agentDetail({ last_line, error, outcome }: WatchedAgent): string {
  const text = last_line ?? error ?? (outcome === "ok" ? "" : (outcome ?? ""));
  return printable(oneLine(text));
}

/** Nothing where nothing is charged, as for checks. */
export function dollars(usd: number): string {
  return usd === 0 ? "" : `$${usd.toFixed(4)}`;
}
