/** Why a file, or a line of it, is as it is: the commits, and the sessions and prompts behind them. */
import { oneLine } from "../../lib/one-line.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { Verification } from "../powers.ts";
import { placedSessions, type RepositoryTrees } from "../related/places.ts";
import { type Labelled, recalledFrom } from "../reports/recalled.ts";
import { IN_BRIEF, sessionRecords } from "../reports/session-record.ts";
import type { CommitBehind, FileHistory } from "./commits.ts";
import { type Confidence, type Moment, type SessionBehind, sessionsBehind } from "./evidence.ts";
import { type Trace, traceOf } from "./trace.ts";
import { type RecordedRun, verifiedWith } from "./verified.ts";

export interface WhySession extends Trace {
  readonly session_id: string;
  readonly title: string;
  readonly provider: string;
  /** Id of the session that started this one as a helper; empty for a session of a user's. */
  readonly parent_id: string;
  readonly score: number;
  readonly signals: readonly string[];
  readonly confidence: Confidence;
  readonly edit: Moment | null;
}

export interface WhyChange {
  /** Null for what is not committed. */
  readonly commit: CommitBehind | null;
  /** The most likely first; empty where none is known. */
  readonly sessions: readonly Labelled<WhySession>[];
  /** What pallium itself ran on it and put on record, of each command the newest; the newest first. */
  readonly verified: readonly RecordedRun[];
}

export interface WhyReport {
  /** Relative to the top of the working tree. */
  readonly path: string;
  /** Null where all of the file was asked about. */
  readonly line: number | null;
  /** The latest first. */
  readonly changes: readonly WhyChange[];
  readonly hints: readonly string[];
}

export interface WhyQuestion {
  readonly history: FileHistory;
  readonly line?: number;
  readonly repository: RepositoryTrees;
  /** Verification runs on record, the newest first. */
  readonly verifications: readonly Verification[];
  /** Whole texts, all commands, and less likely sessions too. */
  readonly full: boolean;
}

const BRIEF = { sessions: 1, entries: 8, cut: (text: string) => oneLine(text, 240) };
const FULL = { sessions: 5, entries: 1000, cut: (text: string) => text };
const NONE = [
  "no session is known that made it: read new ones in with pallium sessions index",
  "a commit that was made by hand has none",
];

export function whyReport(reader: Reader, question: WhyQuestion, now: Date): WhyReport {
  const { history, repository, line } = question;
  const extent = question.full ? FULL : BRIEF;
  const surroundings = { repository, placed: placedSessions(reader, repository) };
  const changes = history.changes.map((change): WhyChange => {
    const behind = sessionsBehind(reader, change, history.path, surroundings);
    const sessions = shown(reader, behind, extent, now);
    const ran = verifiedWith(change, question.verifications, behind[0]?.edit?.timestamp ?? "");
    const verified = ran.slice(0, extent.entries);
    return { commit: change.commit ?? null, sessions, verified };
  });
  const isKnown = changes.some(({ sessions }) => sessions.length > 0);
  return { path: history.path, line: line ?? null, changes, hints: isKnown ? [] : NONE };
}

function shown(
  reader: Reader,
  behind: readonly SessionBehind[],
  extent: typeof FULL,
  now: Date,
): readonly Labelled<WhySession>[] {
  return behind.slice(0, extent.sessions).flatMap((candidate) => {
    const { key, score, signals, confidence, edit = null } = candidate;
    return sessionRecords(reader, [key], IN_BRIEF).map((record) => {
      const { id, title, provider, machine, rollout_path: path, updated_at } = record;
      const trace = traceOf(reader, candidate, extent);
      const at = (trace.prompt ?? edit)?.timestamp || updated_at;
      return {
        session_id: id,
        title,
        provider,
        parent_id: record.parent_id,
        score,
        signals,
        confidence,
        edit,
        ...trace,
        recalled: recalledFrom({ provider, machine, session_id: id, path, at }, now),
      };
    });
  });
}
