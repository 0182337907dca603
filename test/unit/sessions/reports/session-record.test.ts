/** What reports say of one session. */
import { expect, test } from "bun:test";
import { listSessions } from "../../../../src/sessions/reports/list.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

test("a file that was written of in two ways is touched once, by its whole path", async () => {
  await using index = await testIndex();
  await index.place("codex", "session");
  await index.index();
  const [session] = listSessions(index.database, { limit: 1 });
  expect(session?.files_touched).toEqual(["/home/dev/billing/billing.ts"]);
});
