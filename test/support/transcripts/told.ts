/** Sessions of a few words each, to be searched. */
import { type SearchRequest, searchSessions } from "../../../src/sessions/search/search.ts";
import { type TestIndex, testIndex } from "./index.ts";

/** A tool call and what it brought. */
export interface Called {
  readonly ran: string;
  readonly brought: string;
}

export interface Told {
  readonly title?: string;
  /** When it began; its messages follow at a minute each. */
  readonly at?: string;
  readonly said: readonly (string | Called)[];
}

const SOME_TIME = "2026-12-01T10:00:00.000Z";

/** A session of each entry: the user says the first message, the agent the others. */
export async function told(sessions: Readonly<Record<string, Told>>): Promise<TestIndex> {
  const index = await testIndex();
  for (const [id, session] of Object.entries(sessions)) {
    const lines = recordsOf(id, session).map((record) => `${JSON.stringify(record)}\n`);
    await index.write(`claude/projects/p/${id}.jsonl`, lines.join(""));
  }
  await index.index();
  return index;
}

function recordsOf(id: string, { title, at = SOME_TIME, said }: Told): readonly object[] {
  const record = (
    place: string,
    minutes: number,
    type: "user" | "assistant",
    content: unknown,
  ) => ({
    type,
    sessionId: id,
    uuid: `${id}-${place}`,
    timestamp: new Date(Date.parse(at) + minutes * 60_000).toISOString(),
    message: { role: type, content },
  });
  const records = said.flatMap((message, place) => {
    if (typeof message === "string") {
      return [record(`${place}`, place, place === 0 ? "user" : "assistant", message)];
    }
    const call = {
      type: "tool_use",
      id: `t${place}`,
      name: "Bash",
      input: { command: message.ran },
    };
    const result = { type: "tool_result", tool_use_id: `t${place}`, content: message.brought };
    return [
      record(`${place}`, place, "assistant", [call]),
      record(`${place}r`, place, "user", [result]),
    ];
  });
  const named = { type: "custom-title", sessionId: id, customTitle: title };
  return title === undefined ? records : [...records, named];
}

/** Sessions beside those that a question is about. */
export const OTHERS: Readonly<Record<string, Told>> = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [`o${at}`, { said: ["something else", "about the tests"] }]),
);

/** Ids of the sessions that a search finds, in its order. */
export function idsFound(
  { database }: TestIndex,
  question: string,
  request: Partial<SearchRequest> = {},
): readonly string[] {
  const found = searchSessions(database, { words: [question], limit: 10, ...request });
  return found.map(({ id }) => id);
}
