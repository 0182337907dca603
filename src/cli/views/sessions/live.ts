/** Sessions as they stand now, for people. Pure. */
import { counted } from "../../../lib/counted.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import type { LiveReport, LiveSession } from "../../../sessions/live/types.ts";
import { styled } from "../../colours.ts";
import { cutCells } from "../cells.ts";
import { type Column, tableLines } from "../table.ts";

export interface LiveOptions {
  /** Characters in a line; absent where nothing is to be cut. */
  readonly columns?: number | undefined;
  /** Whether to say what each did last. */
  readonly details: boolean;
  readonly colours: boolean;
}

const TITLE_LENGTH = 90;
const ID_LENGTH = 8;
/** Of a path that is shorter than a line. */
const COMPONENTS = 2;

export function liveLines(report: LiveReport, options: LiveOptions): readonly string[] {
  const { sessions } = report;
  if (sessions.length === 0) return ["No agent sessions found."];
  const isMixed = sessions.some(({ status }) => status === "inactive");
  const [titles = "", ...rows] = tableLines(sessions, columnsOf(isMixed), options);
  const lines = sessions.flatMap((session, at) => [
    rows[at] ?? "",
    ...(options.details ? detailLines(session, options) : []),
  ]);
  return [
    headline(report, isMixed),
    `updated ${clockTime(report.generated_at)}`,
    "",
    titles,
    ...lines,
  ];
}

export interface LiveRowOptions extends LiveOptions {
  readonly columns: number;
  readonly rows: number;
  /** Whether they will be drawn over. */
  readonly isLive: boolean;
}

/** No more rows than there are, with a word on what is left out. */
export function liveRows(report: LiveReport, options: LiveRowOptions): readonly string[] {
  const { rows, isLive, colours, columns } = options;
  const foot = isLive ? ["", dim("Ctrl-C ends the watch", colours)] : [];
  const lines = liveLines(report, options);
  const room = Math.max(1, rows - foot.length);
  if (lines.length <= room) return [...lines, ...foot].slice(0, rows);
  const hidden = lines.length - room + 1;
  const more = cutCells(`… and ${counted(hidden, "line")} more`, columns, "end");
  return [...lines.slice(0, room - 1), dim(more, colours), ...foot].slice(0, rows);
}

function headline({ sessions }: LiveReport, isMixed: boolean): string {
  const active = sessions.filter(({ status }) => status === "active").length;
  const inactive = sessions.length - active;
  if (!isMixed) return `${active} active agent ${active === 1 ? "session" : "sessions"}`;
  return `${active} active, ${inactive} inactive agent sessions`;
}

function columnsOf(isMixed: boolean): readonly Column<LiveSession>[] {
  const status: Column<LiveSession> = {
    title: "STATUS",
    cell: (session) => session.status,
    format: (session) => (session.status === "active" ? "green" : "dim"),
  };
  return [
    { title: "PID", cell: ({ pid }) => (pid === undefined ? "-" : String(pid)) },
    { title: "TTY", cell: ({ tty }) => tty ?? "-" },
    ...(isMixed ? [status] : []),
    { title: "AGENT", cell: ({ provider }) => provider },
    { title: "SESSION", cell: ({ thread_id: id = "-" }) => printable(id.slice(0, ID_LENGTH)) },
    { title: "PATH", cut: "start", cell: (session) => compactPath(placeOf(session)) },
    {
      title: "TITLE",
      cut: "end",
      cell: ({ title }) => printable(oneLine(title, TITLE_LENGTH)),
      format: () => "bold",
    },
  ];
}

function placeOf({ effective_workdir, session_cwd }: LiveSession): string {
  return effective_workdir ?? session_cwd ?? "";
}

/** The last two names of a path. */
export function compactPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "");
  if (path === "") return "-";
  const shown = names.length > COMPONENTS ? `…/${names.slice(-COMPONENTS).join("/")}` : path;
  return printable(oneLine(shown));
}

function detailLines(session: LiveSession, { columns, colours }: LiveOptions): readonly string[] {
  const { recent_action: recent } = session;
  if (recent === undefined) return [];
  const line = `  recent: ${printable(oneLine(recent))}`;
  return [dim(columns === undefined ? line : cutCells(line, columns, "end"), colours)];
}

function dim(text: string, colours: boolean): string {
  return colours ? styled("dim", text) : text;
}

/** Such as `9:05AM`, where the user is. */
function clockTime(iso: string): string {
  const time = new Date(iso);
  const hours = time.getHours();
  const minutes = String(time.getMinutes()).padStart(2, "0");
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes}${hours < 12 ? "AM" : "PM"}`;
}
