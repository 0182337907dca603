/** Copying the Go program's sessions is killed on the way: the next command ends with the same. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { changesUntil } from "../support/files.ts";
import { writeGoSessions } from "../support/go-sessions.ts";

const SESSIONS = 4;
/** So many and so long that a session takes more than one transaction. */
const MESSAGES = 250;
const WORDS = "what the agent said at some length ".repeat(700);

const goDatabase = (home: CliHome) => join(home.directory, ".pallium", "codex-sessions.sqlite");

async function withSessions(home: CliHome): Promise<void> {
  const messages = Array.from({ length: MESSAGES }, (_, at) => ({
    line_no: at + 1,
    role: at % 2 === 0 ? "user" : "assistant",
    text: `${at}: ${WORDS}`,
  }));
  const sessions = Array.from({ length: SESSIONS }, (_, at) => ({ id: `s${at}`, messages }));
  await writeGoSessions(goDatabase(home), sessions);
}

function list(home: CliHome) {
  return Bun.spawn([...PALLIUM, "sessions", "list"], {
    cwd: home.directory,
    env: { PATH: process.env.PATH ?? "", HOME: home.directory },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

function stored(home: CliHome): { messages: number; different: number } {
  const path = join(home.directory, ".pallium", "sessions.sqlite");
  if (!existsSync(path)) return { messages: 0, different: 0 };
  using database = new Database(path, { readonly: true });
  const one = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  try {
    return {
      messages: one("SELECT count(*) AS n FROM messages"),
      different: one("SELECT count(*) AS n FROM (SELECT DISTINCT session, line_no FROM messages)"),
    };
  } catch {
    // It is being made.
    return { messages: 0, different: 0 };
  }
}

const ALL = { messages: SESSIONS * MESSAGES, different: SESSIONS * MESSAGES };

test("a copy that is killed is the same in the end", async () => {
  await using home = await cliHome();
  await withSessions(home);
  const child = list(home);
  await changesUntil(home.directory, () => stored(home).messages > 0);
  child.kill("SIGKILL");
  await child.exited;
  expect(stored(home).messages).toBeGreaterThan(0);
  expect(stored(home).messages).toBeLessThan(ALL.messages);
  const { stderr } = await home.pallium(["sessions", "list"]);
  expect(stderr).toMatch(/copied [1-4] sessions? of the Go program/);
  expect(stored(home)).toEqual(ALL);
  expect((await home.pallium(["sessions", "list"])).stderr).not.toContain("copied");
}, 60_000);

test("of two at once nothing is copied twice", async () => {
  await using home = await cliHome();
  await withSessions(home);
  const both = [list(home), list(home)];
  expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0]);
  await home.pallium(["sessions", "list"]);
  expect(stored(home)).toEqual(ALL);
}, 60_000);
