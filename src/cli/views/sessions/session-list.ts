import { printable } from "../../../lib/printable.ts";
import type { RelatedSession } from "../../../sessions/related/related.ts";
import type { SessionRecord } from "../../../sessions/reports/session-record.ts";
import type { FoundSession } from "../../../sessions/search/search.ts";
import { shown } from "../text.ts";
import { type Highlight, highlighted, nearbyLines } from "./highlights.ts";
import { speaker } from "./speaker.ts";

const NONE = "No sessions found; read them in with: pallium sessions index";

export function sessionListText(sessions: readonly SessionRecord[]): string {
  return sessions.length === 0
    ? NONE
    : sessions.map((session) => brief(session).join("\n")).join("\n\n");
}

export function foundSessionsText(sessions: readonly FoundSession[], highlight: Highlight): string {
  if (sessions.length === 0) return NONE;
  return sessions
    .map((session) => {
      const hits = session.hits.flatMap((hit) => [
        ...nearbyLines(hit.before),
        `  ${speaker(hit.role, hit.kind)}: ${highlighted(hit, highlight)}`,
        ...nearbyLines(hit.after),
      ]);
      return [...brief(session), ...hits].join("\n");
    })
    .join("\n\n");
}

export function relatedSessionsText(sessions: readonly RelatedSession[]): string {
  if (sessions.length === 0) return "No session is known that has to do with it.";
  return sessions
    .map((session) => {
      const [first = "", cwd = "", ...rest] = brief(session);
      const signals = `  signals: ${session.signals.map(shown).join(", ")}`;
      return [`score=${session.score} ${first}`, cwd, signals, ...rest].join("\n");
    })
    .join("\n\n");
}

/** Time, id and title, then where, then files. */
export function brief(session: SessionRecord): readonly string[] {
  const files = session.files_touched.map(shown);
  return [
    `${session.updated_at || session.created_at || "-"}  ${shown(session.id)}  ${printable(session.title)}`,
    `  cwd: ${shown(session.cwd) || "-"}`,
    ...(files.length === 0 ? [] : [`  files: ${files.join(", ")}`]),
  ];
}
