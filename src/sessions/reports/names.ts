/** Names that a shell may offer: cheap to find, and safe to show. */
import type { Reader } from "../../platform/sqlite/database.ts";

/** Sessions that are offered. */
const MOST_NAMES = 200;

export function latestSessionIds(store: Reader): readonly string[] {
  return store
    .all<{ id: string }>("SELECT id FROM sessions ORDER BY updated_at DESC, id LIMIT ?", MOST_NAMES)
    .map(({ id }) => id);
}
