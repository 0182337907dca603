/** Names that a shell may offer: cheap to find, and safe to show. */
import type { Reader } from "../../platform/sqlite/database.ts";

/** Runs and triggers that are offered, the latest. */
const MOST_NAMES = 200;

const QUERIES = {
  runs: "SELECT id AS name FROM workflow_runs ORDER BY updated_at DESC, id DESC LIMIT ?",
  triggers: "SELECT name FROM workflow_triggers ORDER BY updated_at DESC, name LIMIT ?",
} as const;

export function namesOnRecord(store: Reader, kind: keyof typeof QUERIES): readonly string[] {
  return store.all<{ name: string }>(QUERIES[kind], MOST_NAMES).map(({ name }) => name);
}
