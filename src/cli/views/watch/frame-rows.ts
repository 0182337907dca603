/** A watched run as rows of a terminal of any size. Pure. */
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import { shortTime } from "../../../lib/short-time.ts";
import type { WatchedAgent, WatchFrame } from "../../../workflow/live/frame.ts";
import { AGENT_STATUSES, type RunStatus } from "../../../workflow/run/types.ts";
import type { Format } from "../../colours.ts";
import { type Span, spansText } from "../spans.ts";
import { agentColumns, agentRow } from "./agent-row.ts";
import { chooseAgents, type Section, sectionsOf } from "./chosen-agents.ts";

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

export interface RowOptions extends FrameSize {
  readonly colours: boolean;
  readonly now: Date;
  /** Whether it will be drawn over. */
  readonly isLive: boolean;
}

/** With fewer rows there is no room for blank ones, nor for hints. */
const ROOMY = 10;
/** A rate over less time would be a guess. */
const SETTLED_MS = 10_000;

/** No more rows than there are, none wider than the terminal. */
export function frameRows(frame: WatchFrame, options: RowOptions): string[] {
  const { columns, rows, colours, now, isLive } = options;
  const isRoomy = rows >= ROOMY;
  const head = isRoomy
    ? [verdictRow(frame), taskRow(frame), paceRow(frame, now), ...gateRows(frame), []]
    : [verdictRow(frame), paceRow(frame, now), ...gateRows(frame)];
  const foot: Span[][] = isRoomy && isLive && !frame.final ? [[], [FOOT]] : [];
  const body = bodyRows(frame, { ...options, rows: rows - head.length - foot.length });
  return [...head, ...body, ...foot]
    .slice(0, rows)
    .map((spans) => spansText(spans, columns, colours));
}

const FOOT: Span = { text: "Ctrl-C ends the watch; the run goes on", format: "dim" };

function verdictRow({ verdict, status }: WatchFrame): Span[] {
  return [{ text: verdict, format: statusFormat(status) }];
}

export function statusFormat(status: RunStatus): Format {
  if (status === "completed") return "green";
  if (status === "running" || status === "queued") return "cyan";
  return status === "failed" || status === "completed_with_failures" ? "red" : "yellow";
}

function taskRow({ id, task }: WatchFrame): Span[] {
  return [{ text: id, format: "bold" }, { text: `  ${printable(oneLine(task))}` }];
}

/** How long, how much and how fast, and how many agents are done. */
function paceRow(frame: WatchFrame, now: Date): Span[] {
  const since = frame.final ? 0 : Math.max(0, now.getTime() - Date.parse(frame.at));
  const elapsed = frame.elapsed_ms + since;
  const isSettled = elapsed >= SETTLED_MS;
  const perMinute = isSettled ? ` ($${frame.usd_per_minute.toFixed(4)}/min)` : "";
  const { agents_total, agents_running } = frame;
  const done = agents_total - agents_running;
  const rate = isSettled ? ` (${frame.agents_per_minute.toFixed(1)}/min)` : "";
  const failed =
    frame.agents_failed === 0
      ? []
      : [{ text: `, ${frame.agents_failed} failed`, format: "red" as const }];
  return [
    { text: `${shortTime(elapsed)} · $${frame.spent_usd.toFixed(4)}${perMinute}` },
    { text: ` · ${done}/${agents_total} agents done${rate}, ${agents_running} at work` },
    ...failed,
  ];
}

function gateRows({ gates }: WatchFrame): Span[][] {
  return gates.map(({ name, message, next }) => {
    const what = message === undefined ? "" : ` (${printable(oneLine(message))})`;
    const decide = next[0] === undefined ? "" : `: ${next[0]}`;
    return [
      { text: `gate ${printable(oneLine(name))} waits for you${decide}`, format: "yellow" },
      { text: what },
    ];
  });
}

function bodyRows(frame: WatchFrame, { columns, rows, now }: RowOptions): Span[][] {
  if (rows <= 0) return [];
  const sections = sectionsOf(frame.phases, frame.agents);
  const choice = chooseAgents(sections, rows);
  const widths = agentColumns(
    choice.sections.flatMap(({ shown }) => shown),
    columns,
  );
  const hidden = choice.hidden.length === 0 ? [] : [[hiddenSpan(choice.hidden)]];
  return [
    ...choice.sections.flatMap(({ section, shown }) => [
      headingRow(section, sections.length),
      ...shown.map((agent) => agentRow(agent, widths, now.getTime())),
    ]),
    ...hidden,
  ];
}

function headingRow({ name, status, agents }: Section, sections: number): Span[] {
  const done = agents.filter((agent) => agent.status !== "running").length;
  const title = name === "" ? (sections === 1 ? "agents" : "(no phase)") : printable(oneLine(name));
  return [
    { text: title, format: "bold" },
    {
      text: `  ${status === undefined ? "" : `${status}, `}${done}/${agents.length} done`,
      format: "dim",
    },
  ];
}

function hiddenSpan(hidden: readonly WatchedAgent[]): Span {
  const counts = AGENT_STATUSES.flatMap((status) => {
    const count = hidden.filter((agent) => agent.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return { text: `  … ${hidden.length} more: ${counts.join(", ")}`, format: "dim" };
}
