/** What reports say of one session. */
import { expect, test } from "bun:test";
import { listSessions } from "../../../../src/sessions/reports/list.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

test("a file that was written of in two ways is touched once, by its whole path", async () => {
  await using index = await testIndex();
  await index.place("codex", "session");
  await index.index();
  const [session] = listSessions(index.database, { limit: 1 });
  expect(session?.files_touched).toEqual(["/home/dev/billing/billing.ts"]);
});

test("files that were changed come before those that were read, and a list is short unless it is asked for in full", async () => {
  await using index = await testIndex();
  const reads = Array.from({ length: 9 }, (_, at) => ({ read: `/src/${at}.ts` }));
  const steps = [{ user: "go" }, ...reads, { edit: "/src/changed.ts" }];
  const text = claudeTranscript({ id: "one", cwd: "/src", steps });
  await index.write("claude/projects/p/one.jsonl", text);
  await index.index();
  const files = (full: boolean) =>
    listSessions(index.database, { limit: 1, full })[0]?.files_touched ?? [];
  expect(files(false).slice(0, 2)).toEqual(["/src/changed.ts", "/src/0.ts"]);
  expect([files(false).length, files(true).length]).toEqual([8, 10]);
});
