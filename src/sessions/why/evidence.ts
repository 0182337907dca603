/** Which sessions a change of a file may come from, and what speaks for each. */
import { byText } from "../../lib/by-text.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { everyTree, type PlacedSession, type RepositoryTrees } from "../related/places.ts";
import { type FileTouch, touchesOf } from "../related/touched-files.ts";
import { endOf, type FileChange, SLACK_MS } from "./commits.ts";

/** Where in a session something happened. */
export interface Moment {
  readonly line_no: number;
  readonly timestamp: string;
}

export type Confidence = "high" | "medium" | "low";

export interface SessionBehind {
  /** Of the session. */
  readonly key: number;
  readonly score: number;
  /** The strongest first. */
  readonly signals: readonly string[];
  readonly confidence: Confidence;
  /** The edit that is most likely meant. */
  readonly edit?: Moment;
  /** Where the session committed. */
  readonly committed?: Moment;
}

const HOUR_MS = 60 * 60_000;

const POINTS = {
  "commit-sha": 60,
  "commit-message": 50,
  "commit-time": 40,
  "edited-file": 40,
  "edit-holds-line": 25,
  "within-an-hour": 20,
  "within-a-day": 10,
  "same-repository": 10,
} as const;
type Signal = keyof typeof POINTS;

interface Moments {
  edit?: Moment;
  committed?: Moment;
}

interface Found extends Moments {
  readonly signals: Set<Signal>;
}

/** What is looked at, gathered once for all changes of a file. */
export interface Surroundings {
  readonly repository: RepositoryTrees;
  readonly placed: readonly PlacedSession[];
}

/** @param file what it is called now, relative to the repository. */
export function sessionsBehind(
  reader: Reader,
  change: FileChange,
  file: string,
  { repository, placed }: Surroundings,
): readonly SessionBehind[] {
  const found = new Map<number, Found>();
  const of = (key: number): Found => {
    const known = found.get(key) ?? { signals: new Set<Signal>() };
    found.set(key, known);
    return known;
  };
  const { commit } = change;
  if (commit !== undefined) {
    for (const { session, signal, ...moment } of commitTraces(reader, change, placed)) {
      const traces = of(session);
      traces.signals.add(signal);
      if (traces.committed === undefined || moment.line_no < traces.committed.line_no) {
        traces.committed = moment;
      }
    }
  }
  const trees = everyTree(repository, placed);
  const names = new Set([file, commit?.path ?? file]);
  const touches = [...names].flatMap((name) => touchesOf(reader, trees, name));
  const edits = touches.filter(
    ({ kind, timestamp }) => kind === "edited" && isWithin(timestamp, change),
  );
  for (const [key, own] of Map.groupBy(edits, ({ session }) => session)) {
    addEdits(reader, change, of(key), own);
  }
  const here = new Set(placed.map(({ key }) => key));
  return [...found]
    .map(([key, { signals, ...moments }]) => {
      if (here.has(key)) signals.add("same-repository");
      return { key, ...weigh(signals, commit === undefined), ...moments };
    })
    .sort((a, b) => b.score - a.score || byCommit(commit, a, b));
}

/** Git's times are whole seconds. */
const SECOND_MS = 1000;

/**
 * Of sessions that as much speaks for: who edited before the commit, then who made a commit, or else
 * edited, closest to it; of what is not committed who edited last.
 */
function byCommit(commit: FileChange["commit"], a: Moments, b: Moments): number {
  if (commit === undefined) return byText(b.edit?.timestamp ?? "", a.edit?.timestamp ?? "");
  const end = endOf(commit);
  const isLate = ({ edit }: Moments): number =>
    Number(edit !== undefined && Date.parse(edit.timestamp) >= end + SECOND_MS);
  const distance = ({ committed, edit }: Moments): number =>
    Math.abs(Date.parse((committed ?? edit)?.timestamp ?? "") - end);
  return isLate(a) - isLate(b) || distance(a) - distance(b);
}

/** After the commit before, and not after this one. */
function isWithin(timestamp: string, { commit, after }: FileChange): boolean {
  if (timestamp === "") return false;
  const at = Date.parse(timestamp);
  if (after !== "" && at < Date.parse(after)) return false;
  return commit === undefined || at <= endOf(commit) + SLACK_MS;
}

function addEdits(
  reader: Reader,
  { commit, text = "" }: FileChange,
  found: Found,
  edits: readonly FileTouch[],
): void {
  const ordered = [...edits].sort((a, b) => a.line_no - b.line_no);
  const holding = ordered.filter((edit) => holdsText(reader, edit, text));
  const edit = holding.at(-1) ?? ordered.at(-1);
  if (edit === undefined) return;
  found.edit = { line_no: edit.line_no, timestamp: edit.timestamp };
  found.signals.add("edited-file");
  if (holding.length > 0) found.signals.add("edit-holds-line");
  if (commit === undefined) return;
  const before = Math.min(
    ...[commit.authored_at, commit.committed_at].map((time) =>
      Math.abs(Date.parse(time) - Date.parse(edit.timestamp)),
    ),
  );
  if (before <= HOUR_MS) found.signals.add("within-an-hour");
  else if (before <= 24 * HOUR_MS) found.signals.add("within-a-day");
}

/** Of shorter lines, such as a brace, there are too many. */
const SHORTEST_TEXT = 4;
/** A commit that was made anew has other times; a subject of this length is hardly that of another. */
const TELLING_SUBJECT = 16;

function holdsText(reader: Reader, { session, line_no }: FileTouch, text: string): boolean {
  if (text.length < SHORTEST_TEXT) return false;
  const row = reader.get<{ found: number }>(
    "SELECT max(instr(text, ?)) AS found FROM messages WHERE session = ? AND line_no = ?",
    text,
    session,
    line_no,
  );
  return (row?.found ?? 0) > 0;
}

interface Trace extends Moment {
  readonly session: number;
  readonly signal: Signal;
}

/** Shorter beginnings of a commit's hash are those of others too. */
const SHORTEST_SHA = 7;
const LONGEST_SHORT_SHA = 14;
const MOST_TRACES = 50;

/** Where sessions made the commit: its hash was printed, its message given, or `git commit` run then. */
function commitTraces(
  reader: Reader,
  { commit }: FileChange,
  placed: readonly PlacedSession[],
): readonly Trace[] {
  if (commit === undefined) return [];
  const { sha, subject } = commit;
  const lengths = Array.from(
    { length: LONGEST_SHORT_SHA - SHORTEST_SHA + 1 },
    (_, more) => SHORTEST_SHA + more,
  );
  const words = [sha, ...lengths.map((length) => sha.slice(0, length))];
  const printed = reader.all<Moment & { session: number }>(
    `SELECT messages.session, messages.line_no, messages.timestamp
     FROM message_words JOIN messages ON messages.key = message_words.rowid
     WHERE message_words MATCH ? AND kind = 'tool_result' ORDER BY message_words.rowid LIMIT ?`,
    `text : (${words.map((word) => `"${word}"`).join(" OR ")})`,
    MOST_TRACES,
  );
  const times = [commit.authored_at, commit.committed_at];
  const around = times.flatMap((time) => [-SLACK_MS, SLACK_MS].map((ms) => later(time, ms)));
  const keys = JSON.stringify(placed.map(({ key }) => key));
  const commands = reader.all<Moment & { session: number; command: string }>(
    `SELECT session, line_no, timestamp, command FROM commands
     WHERE session IN (SELECT value FROM json_each(?)) AND instr(command, 'commit') > 0
       AND (timestamp BETWEEN ? AND ? OR timestamp BETWEEN ? AND ? OR instr(command, ?) > 0)
     ORDER BY timestamp LIMIT ?`,
    keys,
    ...around,
    subject,
    MOST_TRACES,
  );
  return [
    // It was printed by whoever made it at that time; later it is only looked at.
    ...printed
      .filter(({ timestamp }) => isNear(timestamp, times))
      .map((place): Trace => ({ ...place, signal: "commit-sha" })),
    ...commands
      .filter(({ command }) => /\bgit\b.*\bcommit\b/s.test(command))
      .flatMap(({ command, ...place }): Trace[] => {
        const isNow = isNear(place.timestamp, times);
        const says =
          subject.length >= (isNow ? SHORTEST_TEXT : TELLING_SUBJECT) && command.includes(subject);
        return [
          ...(isNow ? [{ ...place, signal: "commit-time" as const }] : []),
          ...(says ? [{ ...place, signal: "commit-message" as const }] : []),
        ];
      }),
  ];
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

function isNear(timestamp: string, times: readonly string[]): boolean {
  const at = Date.parse(timestamp);
  return times.some((time) => Math.abs(at - Date.parse(time)) <= SLACK_MS);
}

/** @param isOpen whether nobody committed the change yet: who edited the file since is hardly another. */
function weigh(
  found: ReadonlySet<Signal>,
  isOpen: boolean,
): Pick<SessionBehind, "score" | "signals" | "confidence"> {
  const signals = [...found].sort((a, b) => POINTS[b] - POINTS[a]);
  const score = signals.reduce((sum, signal) => sum + POINTS[signal], 0);
  const committed = found.has("commit-sha") || found.has("commit-message");
  const edited = found.has("edited-file");
  const isSoon = isOpen || found.has("within-an-hour") || found.has("edit-holds-line");
  let confidence: Confidence = "low";
  if (edited && (committed || found.has("commit-time") || found.has("edit-holds-line")))
    confidence = "high";
  else if (committed || (edited && isSoon)) confidence = "medium";
  return { score, signals, confidence };
}
