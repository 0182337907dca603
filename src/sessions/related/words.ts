/** Which sessions hold words of a question. */
import type { Reader } from "../../platform/sqlite/database.ts";
import { type Marker, markerOf } from "../search/marked-words.ts";
import { parseQuery } from "../search/query.ts";
import { searchSessions } from "../search/search.ts";
import type { RepositoryTrees } from "./places.ts";

/** Sessions that are looked at, the best of each search. */
const MOST_SESSIONS = 40;
/** Of several words so many at least must be in a session that is about them. */
const FEWEST_WORDS = 2;

/**
 * How many different words of a question a session holds, by its id. Sessions of the repository are
 * looked at besides the best of all.
 */
export function wordsOfSessions(
  reader: Reader,
  query: string,
  repository: RepositoryTrees | undefined,
): ReadonlyMap<number, number> {
  const words = markers(query);
  if (words.length === 0) return new Map();
  const request = { words: [query], limit: MOST_SESSIONS };
  const folders = (repository?.trees ?? []).map((repo) => ({ ...request, repo }));
  const found = [request, ...folders].flatMap((asked) => searchSessions(reader, asked));
  const counts = found.flatMap((session): [number, number][] => {
    const { title, first_user_message: first, last_agent_message: last, cwd, hits } = session;
    const lists = [session.files_touched, session.commands, session.errors];
    const snippets = hits.map(({ snippet }) => snippet);
    const text = [title, first, last, cwd, ...lists.flat(), ...snippets].join("\n");
    const count = words.filter((mark) => mark(text).length > 0).length;
    const isAbout = count >= Math.min(FEWEST_WORDS, words.length);
    const key = isAbout ? keyOf(reader, session) : undefined;
    return key === undefined ? [] : [[key, count]];
  });
  return new Map(counts);
}

/** What finds each word of a question in a text; phrases count where there are no single words. */
function markers(query: string): readonly Marker[] {
  const { terms } = parseQuery(query);
  const words = terms.filter(({ isWord }) => isWord);
  return (words.length > 0 ? words : terms).map((term) => markerOf([term]));
}

function keyOf(
  reader: Reader,
  { machine, provider, id }: { machine: string; provider: string; id: string },
): number | undefined {
  return reader.get<{ key: number }>(
    "SELECT key FROM sessions WHERE machine = ? AND provider = ? AND id = ?",
    machine,
    provider,
    id,
  )?.key;
}
