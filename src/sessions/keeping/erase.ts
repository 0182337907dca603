/** Deletes sessions so that no byte of the store's files is left of them. */
import type { Database, Transaction } from "../../platform/sqlite/database.ts";

/** Takes away what the word indexes keep of deleted rows until they are merged. */
const MERGED = ["message_words", "session_words"];

/** In the transaction that deletes: whoever is killed before the end leaves word of it. */
export function askForErasure(tx: Transaction, now: string): void {
  tx.run("INSERT INTO erasures (asked_at) VALUES (?)", now);
}

/** Brings to an end what `askForErasure` asked for, by whom ever; nothing where nobody did. */
export async function finishErasure(database: Database): Promise<void> {
  const asked = database.all<{ asked_at: string }>("SELECT DISTINCT asked_at FROM erasures");
  if (asked.length === 0) return;
  await database.write((tx) => {
    for (const table of MERGED) tx.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  });
  await database.compact();
  await database.write((tx) => {
    // What others have deleted meanwhile is still there.
    for (const { asked_at: at } of asked) tx.run("DELETE FROM erasures WHERE asked_at = ?", at);
  });
}
