/** The disk is full during `sessions index`: the error says so, the store is whole, and the next index goes on. */
import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFileLimit } from "../support/child.ts";
import { cliHome, PALLIUM } from "../support/cli.ts";
import { testIndex } from "../support/transcripts/index.ts";
import { errorOf } from "../support/workflow.ts";

const FILES = 6;
const LINES = 100;
const WORDS = "what the agent said at some length ".repeat(100);
const LONG_AGO = new Date(Date.now() - 600_000);
const DISK_FULL = { code: "disk_full", hints: [expect.stringContaining("free some space")] };

const transcript = (session: string) =>
  Array.from({ length: LINES }, (_, at) => {
    const message = { role: "assistant", content: `${at}: ${WORDS}` };
    return `${JSON.stringify({ type: "assistant", sessionId: session, message })}\n`;
  }).join("");

test("with no space left on the way", async () => {
  await using home = await cliHome();
  const folder = join(home.directory, ".claude", "projects", "p");
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < FILES; at += 1) {
    const path = join(folder, `s${at}.jsonl`);
    await writeFile(path, transcript(`s${at}`));
    await utimes(path, LONG_AGO, LONG_AGO);
  }
  const store = join(home.directory, ".pallium", "sessions.sqlite");
  const count = (sql: string) => {
    using database = new Connection(store);
    return Object.values(database.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  };
  expect((await home.pallium(["sessions", "index", "--since", "1m"])).exitCode).toBe(0);
  const [program = "sh", ...args] = withFileLimit(3000, [
    ...PALLIUM,
    "sessions",
    "index",
    "--json",
  ]);
  const full = await home.pallium(args, { program: [program] });
  expect(full).toMatchObject({ exitCode: 1, stdout: "" });
  expect(errorOf(full.stderr)).toMatchObject(DISK_FULL);
  expect(count("PRAGMA integrity_check")).toBe("ok");
  expect(count("SELECT count(*) FROM messages")).toBeLessThan(FILES * LINES);

  expect((await home.pallium(["sessions", "index"])).exitCode).toBe(0);
  expect(count("SELECT count(*) FROM messages")).toBe(FILES * LINES);
  expect(count("SELECT count(DISTINCT session * 1000000 + line_no) FROM messages")).toBe(
    FILES * LINES,
  );
  expect(count("SELECT count(*) FROM message_words WHERE message_words MATCH 'length'")).toBe(
    FILES * LINES,
  );
  expect((await home.pallium(["sessions", "index"])).stdout).toBe(
    `Indexed 0 agent sessions (${FILES} unchanged)\n`,
  );
}, 60_000);

test("with as much in the store as SQLite may put there, what was written stays", async () => {
  await using index = await testIndex();
  await index.write("claude/projects/p/a.jsonl", transcript("a"));
  expect(await index.index()).toMatchObject({ indexed: 1 });
  const messages = () => index.database.all("SELECT key FROM messages").length;
  const { page_count: pages } = index.database.get<{ page_count: number }>("PRAGMA page_count") ?? {
    page_count: 0,
  };
  index.database.get(`PRAGMA max_page_count = ${pages + 2}`);
  await index.write("claude/projects/p/b.jsonl", transcript("b"));
  const failed = await index.index().catch((error: unknown) => error);
  expect(failed).toMatchObject(DISK_FULL);
  expect(messages()).toBe(LINES);
  index.database.get("PRAGMA max_page_count = 1000000");
  expect(await index.index()).toMatchObject({ indexed: 1, unchanged: 1 });
  expect(messages()).toBe(2 * LINES);
});
