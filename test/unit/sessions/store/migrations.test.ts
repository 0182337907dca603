import { expect, test } from "bun:test";
import { openDatabase } from "../../../../src/platform/sqlite/database.ts";
import { SESSION_MIGRATIONS } from "../../../../src/sessions/store/schema.ts";
import { tempDir } from "../../../support/temp.ts";

const BEFORE_ORDER = SESSION_MIGRATIONS.filter(({ version }) => version < 8);
const NO_TEXT = [
  ...["parent_id", "forked_from", "title", "first_user_message", "last_agent_message", "cwd"],
  ...["source", "model_provider", "model", "cli_version", "git_branch", "git_origin_url"],
  ...["created_at", "updated_at", "indexed_at", "status"],
];

test("a store from before files were kept in order keeps all of them", async () => {
  await using dir = await tempDir();
  const path = dir.join("sessions.sqlite");
  const touch = { session: 1, path: "b.ts", line_no: 7, timestamp: "t", kind: "edited" };
  const touches = [touch, { ...touch, path: "a.ts", kind: "read" }, { ...touch, line_no: 3 }];
  const earlier = await openDatabase({ path, migrations: BEFORE_ORDER });
  await earlier.write((tx) => {
    tx.run(
      `INSERT INTO sessions (key, machine, provider, id, tokens_used, event_counts, ${NO_TEXT.join(", ")})
       VALUES (1, 'm', 'claude', 's', 0, '{}', ${NO_TEXT.map(() => "''").join(", ")})`,
    );
    for (const { session, path: file, line_no: line, timestamp, kind } of touches) {
      tx.run("INSERT INTO touches VALUES (?, ?, ?, ?, ?)", session, file, line, timestamp, kind);
    }
  });
  earlier.close();
  const database = await openDatabase({ path, migrations: SESSION_MIGRATIONS });
  const stored = database.all("SELECT * FROM touches ORDER BY line_no DESC, path DESC");
  expect(stored).toEqual(touches);
  await database.write((tx) => tx.run("DELETE FROM sessions"));
  expect(database.all("SELECT * FROM touches")).toEqual([]);
  database.close();
});
