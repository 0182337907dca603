/** Conversations as JSON. */
import type { ExportedSession } from "./exported.ts";

/** One document: `{"sessions":[{recalled, session, messages}]}`. */
export function* jsonExport(sessions: Iterable<ExportedSession>): Generator<string> {
  yield '{"sessions":[';
  let begun = "";
  for (const { session: labelled, messages } of sessions) {
    const { recalled, ...session } = labelled;
    yield `${begun}\n{"recalled":${text(recalled)},\n"session":${text(session)},\n"messages":[`;
    let separator = "\n";
    for (const message of messages) {
      yield separator + text(message);
      separator = ",\n";
    }
    yield "]}";
    begun = ",";
  }
  yield "]}\n";
}

/** What a terminal would obey is written out; JSON has only the first half of such characters so. */
const CONTROL = /[\u007f-\u009f]/g;

function text(value: object): string {
  return JSON.stringify(value).replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
