/** Sessions of the Go program, copied: all of them, once, and given up for what transcripts tell. */
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/platform/clock.ts";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import { createSecretScanner } from "../../../../src/secrets/scanner.ts";
import { copyGoSessions } from "../../../../src/sessions/go-database/copy-go-sessions.ts";
import { goMoment } from "../../../../src/sessions/go-database/go-session.ts";
import { rememberForgotten } from "../../../../src/sessions/keeping/left-out.ts";
import { pruneSessions } from "../../../../src/sessions/keeping/prune.ts";
import { listSessions } from "../../../../src/sessions/reports/list.ts";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { grepMessages } from "../../../../src/sessions/search/grep.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import { type GoTestSession, goSessionSql, writeGoSessions } from "../../../support/go-sessions.ts";
import { createDraw } from "../../../support/secrets/draw.ts";
import { TOKENS } from "../../../support/secrets/tokens.ts";
import { storedTexts } from "../../../support/stored-bytes.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const CLAUDE_SESSION = "b19c5154-e5f9-45f3-b871-aa182e275d37";
const CLAUDE_HELPER = "agent-af4860ea4b6868de4";
const CLAUDE_HELPED = "460bb3c7-01d4-405c-aeb3-ed79a689d93c";
const CODEX_SESSION = "01a23a7d-9257-7e80-a92d-8bf46c16c593";

const said = (line_no: number, role: string, text: string, kind = "message") => ({
  line_no,
  role,
  text,
  kind,
});

const SESSION: GoTestSession = {
  id: "gone",
  messages: [
    said(1, "user", "Fix the billing auth bug"),
    said(2, "user", "Fix the billing auth bug"),
    said(3, "tool", "go test ./...", "exec_command"),
    said(4, "assistant", "Done", "text"),
    said(5, "assistant", "Done", "task_complete"),
    said(6, "user", "Fix the billing auth bug"),
  ],
  row: {
    title: "Billing auth",
    tokens_used: 120,
    event_counts_json: '{"response_item":6}',
    files_touched_json: '["/tmp/repo/auth.go:12:","/tmp/repo/auth.go"]',
    commands_json: '["go vet ./...","go test ./..."]',
    tool_names_json: '["exec_command","view_image"]',
    errors_json: '["FAIL billing","exit 2"]',
    rollout_path: "/gone/rollout-x.jsonl",
  },
};

/** A store, and a way to copy a database of the Go program beside it. */
async function withGo(sessions: readonly GoTestSession[], options = {}) {
  const index = await testIndex();
  const path = join(index.directory, "codex-sessions.sqlite");
  await writeGoSessions(path, sessions, options);
  return { index, path, copy: () => copy(index, path) };
}

async function copy({ database }: TestIndex, path: string): Promise<readonly string[]> {
  const told: string[] = [];
  const notice = (line: string) => told.push(line);
  const scanner = createSecretScanner;
  await copyGoSessions({ database, clock: systemClock(), scanner, machine: "here", notice }, path);
  return told;
}

function changeGo(path: string, sql: string): void {
  const go = new Connection(path);
  go.run(sql);
  go.close(true);
}

const shown = ({ database }: TestIndex, id: string) =>
  showSession(database, { id, transcript: true });
const ids = ({ database }: TestIndex) => listSessions(database, { limit: 100 }).map(({ id }) => id);

describe("a session of the Go program whose transcript is gone", () => {
  test("keeps its row, messages, files, commands, tools and errors", async () => {
    const { index, path, copy } = await withGo([SESSION]);
    await using _ = index;
    const before = await readFile(path);
    expect(await copy()).toEqual([
      `copied 1 session of the Go program from ${path}, which stays as it is`,
    ]);
    const { session, messages } = shown(index, "gone");
    expect(session).toMatchObject({
      id: "gone",
      machine: "here",
      provider: "codex",
      title: "Billing auth",
      first_user_message: "Fix the billing auth bug",
      last_agent_message: "Done",
      created_at: "2026-06-10T11:00:00.000Z",
      updated_at: "2026-06-10T12:00:00.123Z",
      tokens_used: 120,
      status: "seen",
      rollout_path: "/gone/rollout-x.jsonl",
      files_touched: ["/tmp/repo/auth.go"],
      commands: ["go vet ./...", "go test ./..."],
      tool_names: ["exec_command", "view_image"],
      errors: ["FAIL billing", "exit 2"],
    });
    const [hit] = grepMessages(index.database, { text: "billing auth", limit: 1 });
    expect(hit?.path).toBe("/gone/rollout-x.jsonl");
    expect(messages.map(({ line_no, role, kind, text }) => [line_no, role, kind, text])).toEqual([
      [1, "user", "message", "Fix the billing auth bug"],
      [3, "tool", "exec_command", "go test ./..."],
      [4, "assistant", "message", "Done"],
      [6, "user", "message", "Fix the billing auth bug"],
    ]);
    const { database } = index;
    expect(searchSessions(database, { words: ["auth"], limit: 5 })).toHaveLength(1);
    for (const filter of [{ tool: "view_image" }, { file: "auth.go" }]) {
      expect(listSessions(database, { limit: 5, ...filter })).toHaveLength(1);
    }
    expect(await copy()).toEqual([]);
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  test("weakness 24 of sessions: has no secret left that the Go program missed", async () => {
    const draw = createDraw(9);
    const jwt = TOKENS.JWT?.(draw) ?? "";
    const pat = TOKENS["GitHub github_pat_"]?.(draw) ?? "";
    expect([jwt.length, pat.length].every((length) => length > 40)).toBe(true);
    const { index, copy } = await withGo([
      {
        id: "leaky",
        messages: [
          said(1, "user", `curl -H 'Authorization: Bearer ${jwt}'`),
          said(2, "tool", `export GH=${pat}`, "exec_command"),
        ],
        row: {
          commands_json: JSON.stringify([`echo ${pat}`]),
          errors_json: JSON.stringify([`no ${jwt}`]),
          files_touched_json: JSON.stringify([`/tmp/${jwt}`]),
          tool_names_json: JSON.stringify([`curl_${pat}`]),
          event_counts_json: JSON.stringify({ [pat]: 1 }),
          cwd: `/tmp/${pat}`,
          git_origin_url: `https://ann:${pat}@github.com/ann/app`,
          source: pat,
        },
      },
    ]);
    await using _ = index;
    await copy();
    const everything = JSON.stringify(shown(index, "leaky"));
    expect(everything).not.toContain(pat);
    expect(everything).not.toContain(jwt);
    expect(everything).toContain("[redacted");
    expect(await storedTexts(index.database.path, [pat, jwt])).toEqual([]);
  });

  test("may be of texts of any length, empty, without columns, or without messages", async () => {
    const long = "lorem ipsum dolor ".repeat(3000);
    const { index, path, copy } = await withGo([
      {
        id: "long",
        messages: Array.from({ length: 450 }, (_, at) =>
          said(at + 1, at % 2 === 0 ? "user" : "assistant", `${at} ${long}`),
        ),
      },
      {
        id: "bare",
        row: { title: null, created_at: null, updated_at: null, event_counts_json: "[" },
      },
      { id: "  " },
      {
        id: "rollout-2026-01-01-huge",
        row: { status: "skipped_large_rollout", title: "rollout-2026-01-01-huge" },
      },
    ]);
    await using _ = index;
    changeGo(path, "ALTER TABLE codex_sessions DROP COLUMN git_origin_url");
    expect(await copy()).toEqual([expect.stringContaining("copied 3 sessions")]);
    expect(shown(index, "long").messages).toHaveLength(450);
    expect(shown(index, "bare").session).toMatchObject({ updated_at: "", title: "bare" });
    expect(shown(index, "rollout").session.status).toBe("skipped_large_rollout");
  });

  test("weakness 7 of sessions: of what the user's name stood for nothing is taken for an ask", async () => {
    const noise = "<local-command-stdout>ok</local-command-stdout>";
    const { index, copy } = await withGo([
      {
        id: "noisy",
        messages: [said(1, "user", noise), said(2, "user", "what was really asked")],
        row: { source: "claude", model_provider: "anthropic", first_user_message: noise },
      },
    ]);
    await using _ = index;
    await copy();
    const { session, messages } = shown(index, "noisy");
    expect(session).toMatchObject({
      provider: "claude",
      first_user_message: "what was really asked",
    });
    expect(messages).toHaveLength(1);
  });
});

describe("a session whose transcript is read", () => {
  test("is the transcript's, whichever was first", async () => {
    const stale = (id: string, source: string): GoTestSession => ({
      id,
      messages: [said(1, "user", "what the Go program made of it")],
      row: { source, updated_at: "2027-06-10T12:00:00+00:00" },
    });
    const { index, copy } = await withGo([
      stale(CODEX_SESSION, "exec"),
      stale(CLAUDE_SESSION, "claude"),
    ]);
    await using _ = index;
    await index.place("codex", "session");
    await index.index();
    await copy();
    await index.place("claude", "session");
    await index.index();
    expect(ids(index).toSorted()).toEqual([CODEX_SESSION, CLAUDE_SESSION]);
    for (const id of ids(index)) {
      expect(JSON.stringify(shown(index, id))).not.toContain("made of it");
      expect(shown(index, id).messages.length).toBeGreaterThan(5);
    }
    const { database } = index;
    expect(database.all("SELECT * FROM copied_sessions")).toEqual([]);
    expect(searchSessions(database, { words: ["made"], limit: 5 })).toEqual([]);
  });

  test("weakness 1 of sessions: takes back what a helper's file had overwritten", async () => {
    const index = await testIndex();
    await using _ = index;
    const helper = await index.place("claude", "helper");
    const path = join(index.directory, "codex-sessions.sqlite");
    await writeGoSessions(path, [
      {
        id: CLAUDE_HELPED,
        messages: [said(1000, "user", "what the helper was asked")],
        row: { source: "claude", rollout_path: helper },
      },
    ]);
    await copy(index, path);
    expect(ids(index)).toEqual([CLAUDE_HELPED]);
    await index.index();
    expect(ids(index)).toEqual([CLAUDE_HELPER]);
    await index.place("claude", "helped");
    await index.index();
    expect(ids(index).toSorted()).toEqual([CLAUDE_HELPED, CLAUDE_HELPER]);
  });

  test("weakness 2 of sessions: takes back what was stored under a fork's origin or another computer's name", async () => {
    const index = await testIndex();
    await using _ = index;
    const fork = await index.place("codex", "fork");
    const path = join(index.directory, "codex-sessions.sqlite");
    await writeGoSessions(path, [
      {
        id: CODEX_SESSION,
        messages: [said(1, "user", "merged")],
        row: { rollout_path: fork, machine: "what it was called" },
      },
    ]);
    await copy(index, path);
    expect(ids(index)).toEqual([CODEX_SESSION]);
    await index.index();
    const own = ["01a23a7d-9c77-7420-ab0d-a0eff7b1c907"];
    expect(ids(index)).toEqual(own);
    changeGo(path, "UPDATE codex_sessions SET indexed_at = 'later'");
    await copy(index, path);
    expect(ids(index)).toEqual(own);

    const other = await testIndex();
    await using __ = other;
    await other.place("codex", "fork");
    await other.index();
    changeGo(
      path,
      `UPDATE codex_sessions SET rollout_path = replace(rollout_path, '${index.directory}', '${other.directory}')`,
    );
    await copy(other, path);
    expect(ids(other)).toEqual(own);
  });
});

describe("a database of the Go program", () => {
  test("is looked at again when it was written since", async () => {
    const { index, path, copy } = await withGo([SESSION]);
    await using _ = index;
    await copy();
    const more = {
      ...SESSION,
      messages: [said(1, "user", "another")],
      row: { indexed_at: "later" },
    };
    changeGo(path, goSessionSql(more) + goSessionSql({ id: "second" }));
    expect(await copy()).toEqual([expect.stringContaining("copied 2 sessions")]);
    expect(shown(index, "gone").messages.map(({ text }) => text)).toEqual(["another"]);
    changeGo(path, goSessionSql({ id: "third" }));
    expect(await copy()).toEqual([expect.stringContaining("copied 1 session")]);
  });

  test("what was pruned of it comes back only once it has changed there", async () => {
    const { index, path, copy } = await withGo([SESSION, { id: "kept" }]);
    await using _ = index;
    const { database } = index;
    await copy();
    await pruneSessions(database, { gone: true }, "2026-12-03T10:00:00.000Z");
    expect(ids(index)).toEqual([]);
    changeGo(path, goSessionSql({ ...SESSION, row: { ...SESSION.row, indexed_at: "later" } }));
    expect(await copy()).toEqual([expect.stringContaining("copied 1 session")]);
    expect(ids(index)).toEqual(["gone"]);
  });

  test("what is forgotten while it is copied does not come", async () => {
    const { index, path } = await withGo([SESSION]);
    await using _ = index;
    const database: Database = {
      ...index.database,
      write: async (work) => {
        const session = { provider: "codex", id: SESSION.id };
        await index.database.write((tx) => rememberForgotten(tx, session, ""));
        return index.database.write(work);
      },
    };
    await copy({ ...index, database }, path);
    expect(ids(index)).toEqual([]);
    expect(index.database.all("SELECT * FROM copied_records")).toEqual([]);
  });

  test("of two with the same session the one that was written later counts", async () => {
    const { index, path } = await withGo([{ ...SESSION, messages: [said(1, "user", "newer")] }]);
    await using _ = index;
    const other = join(index.directory, "legacy.sqlite");
    const row = { updated_at: "2026-06-10T13:59:59+02:00" };
    await writeGoSessions(other, [{ id: "gone", messages: [said(1, "user", "older")], row }]);
    await copy(index, other);
    expect(shown(index, "gone").messages[0]?.text).toBe("older");
    await copy(index, path);
    expect(shown(index, "gone").messages.map(({ text }) => text)).toEqual(["newer"]);
    changeGo(other, goSessionSql({ id: "gone", row: { ...row, indexed_at: "later" } }));
    expect(await copy(index, other)).toEqual([]);
    expect(shown(index, "gone").messages.map(({ text }) => text)).toEqual(["newer"]);
  });

  test.each(["wal", "journal"] as const)(
    "that was killed, its %s left, is read and left so",
    async (killed) => {
      const { index, path, copy } = await withGo([SESSION], { killed });
      await using _ = index;
      expect(await copy()).toEqual([expect.stringContaining("copied 1 session")]);
      expect(await Bun.file(`${path}-${killed}`).exists()).toBe(true);
    },
  );

  test("that is no database, or torn, is named once and fails nothing", async () => {
    const { index, path, copy } = await withGo(
      Array.from({ length: 60 }, (_, at) => ({
        id: `s${at}`,
        messages: [said(1, "user", `${at} ${"long ".repeat(2000)}`)],
      })),
    );
    await using _ = index;
    await truncate(path, Math.floor((await readFile(path)).length / 2));
    const [told = ""] = await copy();
    expect(told).toMatch(/copied|could be copied/);
    expect(await copy()).toEqual([]);
    await writeFile(path, "SQLite format 3\0 and then nothing");
    expect((await copy())[0]).toContain("not all of the Go program's sessions could be copied");
    expect(await copy()).toEqual([]);
  });
});

test.each([
  ["2026-06-10T12:00:00Z", "2026-06-10T12:00:00.000Z"],
  ["2026-06-10T12:00:00.123456789+02:00", "2026-06-10T10:00:00.123Z"],
  ["1781092800000", "2026-06-10T12:00:00.000Z"],
  ["1781092800", "2026-06-10T12:00:00.000Z"],
  ["2026-06-10 12:00:00", "2026-06-10T12:00:00.000Z"],
  ["1970-01-01T00:33:46Z", ""],
  ["yesterday", ""],
  ["", ""],
])("the time %p of the Go program is %p", (text, moment) => {
  expect(goMoment(text)).toBe(moment);
});
