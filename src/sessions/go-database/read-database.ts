/** Reads the sessions of the Go program's database, piece by piece: it can be larger than memory. */
import type { GoRow } from "../../lib/go-row.ts";
import { type ForeignDatabase, openForeignDatabase } from "../../platform/sqlite/foreign.ts";

export interface GoSessions extends AsyncDisposable {
  /** Every session, without what can be large, by id. */
  list(): readonly GoRow[];
  row(id: string): GoRow | undefined;
  /** The messages of a session in their order, some at a time. */
  messages(id: string): Generator<readonly GoRow[]>;
}

const SESSIONS = "codex_sessions";
const MESSAGES = "codex_session_messages";
const LISTED = ["id", "indexed_at", "updated_at"];
const MESSAGE_COLUMNS = ["line_no", "timestamp", "role", "kind", "text"];
/** Messages that are held at once; the Go program cut most at 50,000 bytes. */
const PAGE = 200;

/** @throws PalliumError as `openForeignDatabase`, and so do its reads. */
export async function openGoSessions(path: string): Promise<GoSessions> {
  const database = await openForeignDatabase(path);
  return {
    list: () => {
      const columns = present(database, SESSIONS, LISTED);
      if (!columns.includes("id")) return [];
      return database.all<GoRow>(`SELECT ${columns.join(", ")} FROM ${SESSIONS} ORDER BY id`);
    },
    row: (id) => database.get<GoRow>(`SELECT * FROM ${SESSIONS} WHERE id = ?`, id),
    messages: (id) => pagesOf(database, id),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function* pagesOf(database: ForeignDatabase, id: string): Generator<readonly GoRow[]> {
  const columns = present(database, MESSAGES, ["session_id", ...MESSAGE_COLUMNS]);
  if (!columns.includes("session_id") || !columns.includes("line_no")) return;
  const sql = `SELECT ${columns.filter((name) => name !== "session_id").join(", ")} FROM ${MESSAGES}
    WHERE session_id = ? AND line_no > ? ORDER BY line_no LIMIT ${PAGE}`;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = database.all<GoRow>(sql, id, after);
    if (page.length === 0) return;
    yield page;
    after = Number(page.at(-1)?.line_no);
  }
}

function present(
  database: ForeignDatabase,
  table: string,
  wanted: readonly string[],
): readonly string[] {
  const columns = database.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table);
  const names = new Set(columns.map(({ name }) => name));
  return wanted.filter((column) => names.has(column));
}
