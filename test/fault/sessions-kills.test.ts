/** `sessions index` is killed on the way, or runs twice at once: each thing is there once in the end. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { changesUntil } from "../support/files.ts";

const LINES = 1200;
/** So long that the transcript is written in several transactions. */
const WORDS = "what the agent said at some length ".repeat(300);

/** Records without ids, so that nothing but the place in the file tells them from each other. */
async function longTranscript(home: CliHome): Promise<void> {
  const path = join(home.directory, ".claude", "projects", "p", "long.jsonl");
  const lines = Array.from({ length: LINES }, (_, at) =>
    JSON.stringify({
      type: "assistant",
      sessionId: "long",
      timestamp: "2026-12-01T10:00:00.000Z",
      message: { role: "assistant", content: `${at}: ${WORDS}` },
    }),
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join("\n")}\n`);
  const longAgo = new Date(Date.now() - 600_000);
  await utimes(path, longAgo, longAgo);
}

function index(home: CliHome) {
  return Bun.spawn([...PALLIUM, "sessions", "index"], {
    cwd: home.directory,
    env: { PATH: process.env.PATH ?? "", HOME: home.directory },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** How many messages are stored, and how many of them differ; of as many words as can be found. */
function stored(home: CliHome): { messages: number; different: number; found: number } {
  const path = join(home.directory, ".pallium", "sessions.sqlite");
  if (!existsSync(path)) return { messages: 0, different: 0, found: 0 };
  using database = new Database(path, { readonly: true });
  const one = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  try {
    return {
      messages: one("SELECT count(*) AS n FROM messages"),
      different: one("SELECT count(DISTINCT line_no) AS n FROM messages"),
      found: one("SELECT count(*) AS n FROM message_words WHERE message_words MATCH 'length'"),
    };
  } catch {
    // It is being made.
    return { messages: 0, different: 0, found: 0 };
  }
}

const ALL = { messages: LINES, different: LINES, found: LINES };

test("an index that is killed goes on where it was", async () => {
  await using home = await cliHome();
  await longTranscript(home);
  const child = index(home);
  await changesUntil(home.directory, () => stored(home).messages > 0);
  child.kill("SIGKILL");
  await child.exited;
  const { messages } = stored(home);
  expect(messages).toBeGreaterThan(0);
  expect(messages).toBeLessThan(LINES);
  expect((await home.pallium(["sessions", "index"])).stdout).toBe("Indexed 1 agent sessions\n");
  expect(stored(home)).toEqual(ALL);
  const again = await home.pallium(["sessions", "index"]);
  expect(again.stdout).toBe("Indexed 0 agent sessions (1 unchanged)\n");
}, 60_000);

test("of two at once nothing is stored twice", async () => {
  await using home = await cliHome();
  await longTranscript(home);
  const both = [index(home), index(home)];
  expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0]);
  expect(stored(home)).toEqual(ALL);
}, 60_000);
