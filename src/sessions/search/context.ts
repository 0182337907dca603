/** What was said around a message. */
import { oneLine } from "../../lib/one-line.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { CONVERSATION } from "../reports/conversation.ts";

const LENGTH = 240;

export interface NearbyMessage {
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly timestamp: string;
  /** Its beginning, in one line. */
  readonly snippet: string;
}

/** In the order of the transcript. */
export interface Around {
  readonly before: readonly NearbyMessage[];
  readonly after: readonly NearbyMessage[];
}

export function messagesAround(
  reader: Reader,
  session: number,
  line: number,
  count: number,
): Around {
  const nearby = (condition: string) =>
    reader
      .all<Omit<NearbyMessage, "snippet"> & { readonly text: string }>(
        `SELECT line_no, role, kind, timestamp, substr(text, 1, ${8 * LENGTH}) AS text
         FROM ${CONVERSATION} WHERE session = ? AND line_no ${condition} LIMIT ?`,
        session,
        line,
        count,
      )
      .map(({ text, ...place }) => ({ ...place, snippet: oneLine(text, LENGTH) }));
  return {
    before: nearby("< ? ORDER BY line_no DESC").toReversed(),
    after: nearby("> ? ORDER BY line_no"),
  };
}
