/** Who has what a fork took over: the messages, and the files, commands and failures that came of them. */
import { describe, expect, test } from "bun:test";
import { forgetSessions } from "../../../../src/sessions/keeping/forget.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const ORIGIN = "01a23a7d-0000-7e80-a92d-8bf46c16c001";
const FORK = "01a23a7d-0000-7e80-a92d-8bf46c16c002";
const WHEN = "2026-12-01T10:00:";

const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const meta = (id: string, second: number) => ({
  type: "session_meta",
  timestamp: `${WHEN}${second}.000Z`,
  payload: { id, cwd: "/tmp" },
});

/** An ask, a patch and a command that fails, at lines that follow each other. */
function work(second: number): readonly object[] {
  const timestamp = `${WHEN}${second}.000Z`;
  const payloads = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "please mend it" }] },
    {
      type: "custom_tool_call",
      call_id: "patch",
      name: "apply_patch",
      input: "*** Begin Patch\n*** Update File: src/mended.ts\n*** End Patch",
    },
    { type: "function_call", call_id: "run", name: "shell", arguments: '{"cmd":"make test"}' },
    { type: "function_call_output", call_id: "run", output: "Exit code: 1\nit broke" },
  ];
  return payloads.map((payload) => ({ type: "response_item", timestamp, payload }));
}

const placeOrigin = (index: TestIndex) =>
  index.write(
    `codex/sessions/2026/12/01/rollout-2026-12-01T10-00-10-${ORIGIN}.jsonl`,
    lines([meta(ORIGIN, 10), ...work(11)]),
  );
/** Where it is read before its origin. */
const placeFork = (index: TestIndex) =>
  index.write(
    `codex/archived_sessions/rollout-2026-12-01T10-00-20-${FORK}.jsonl`,
    lines([meta(FORK, 20), meta(ORIGIN, 20), ...work(20)]),
  );

/** Who has what stands at the places of messages, and what is found by the name of the file. */
function facts({ database }: TestIndex) {
  const places = ["messages", "touches", "commands", "failures"].map((table) => [
    table,
    database
      .all<{ id: string; line_no: number }>(
        `SELECT id, line_no FROM ${table} AS one JOIN sessions ON sessions.key = one.session
         ORDER BY id, line_no`,
      )
      .map(({ id, line_no }) => `${id.slice(-1)}:${line_no}`),
  ]);
  const found = database
    .all<{ id: string }>(
      `SELECT id FROM session_words JOIN sessions ON sessions.key = session_words.rowid
       WHERE session_words MATCH 'files:mended' ORDER BY id`,
    )
    .map(({ id }) => id.slice(-1));
  return { ...Object.fromEntries(places), found };
}

const OF_ORIGIN = {
  messages: ["1:2", "1:3", "1:4", "1:5"],
  touches: ["1:3"],
  commands: ["1:4"],
  failures: ["1:5"],
  found: ["1"],
};

describe("what a fork took over", () => {
  test("is its origin's alone, read together or one after the other, the fork first", async () => {
    await using together = await testIndex();
    await placeFork(together);
    await placeOrigin(together);
    await together.index();
    expect(facts(together)).toEqual(OF_ORIGIN);

    await using apart = await testIndex();
    await placeFork(apart);
    await apart.index();
    expect(facts(apart)).toMatchObject({ touches: ["2:4"], found: ["2"] });
    await placeOrigin(apart);
    await apart.index();
    expect(facts(apart)).toEqual(OF_ORIGIN);
  });

  test("is the fork's, with all that came of it, once the origin is forgotten", async () => {
    await using index = await testIndex();
    await placeOrigin(index);
    await index.index();
    await placeFork(index);
    await index.index();
    const forgetting = { ids: [ORIGIN], confirmed: true };
    await forgetSessions(index.database, forgetting, { now: "", goDatabases: [] });
    expect(facts(index)).toEqual({
      messages: ["2:3", "2:4", "2:5", "2:6"],
      touches: ["2:4"],
      commands: ["2:5"],
      failures: ["2:6"],
      found: ["2"],
    });
    expect(index.database.all("SELECT command, exit_code FROM commands")).toEqual([
      { command: "make test", exit_code: 1 },
    ]);
    expect(index.database.all("SELECT * FROM message_copies")).toEqual([]);
  });

  test("goes to the fork that began first", async () => {
    await using index = await testIndex();
    await placeOrigin(index);
    for (const [id, second] of [
      ["late", 40],
      ["early", 30],
    ] as const) {
      const name = `codex/sessions/rollout-2026-12-01T10-00-${second}-${id}.jsonl`;
      await index.write(name, lines([meta(id, second), meta(ORIGIN, second), ...work(second)]));
      await index.index();
    }
    const forgetting = { ids: [ORIGIN], confirmed: true };
    await forgetSessions(index.database, forgetting, { now: "", goDatabases: [] });
    expect(
      index.database.all(
        "SELECT DISTINCT id FROM messages JOIN sessions ON sessions.key = session ORDER BY id",
      ),
    ).toEqual([{ id: "early" }]);
  });

  test("stays where it was when a copy does not say when it began", async () => {
    await using index = await testIndex();
    await placeOrigin(index);
    await index.index();
    const copy = lines([meta(FORK, 20), meta(ORIGIN, 20), ...work(20)]);
    const name = `codex/sessions/rollout-2026-12-01T10-00-20-${FORK}.jsonl`;
    await index.write(name, copy.replaceAll('"timestamp"', '"time"'));
    await index.index();
    expect(facts(index)).toEqual(OF_ORIGIN);
    expect(index.database.all("SELECT * FROM message_copies")).toHaveLength(4);
  });

  test("is still somebody's when the origin's transcript is read anew, begun in the same moment", async () => {
    await using index = await testIndex();
    const steps = [{ user: "mend it" }, { edit: "/src/mended.ts" }, { run: "make", exit: 2 }];
    const origin = claudeTranscript({ id: "o", cwd: "/tmp", steps });
    const said = claudeTranscript({ id: "o", cwd: "/tmp", steps: [...steps, { agent: "done" }] });
    await index.write("claude/projects/p/o.jsonl", origin);
    const fork = origin.replaceAll('"sessionId":"o"', '"sessionId":"f"');
    await index.write("claude/projects/p/f.jsonl", fork);
    const all = () =>
      ["touches", "commands", "failures"].map(
        (table) => index.database.all(`SELECT line_no FROM ${table}`).length,
      );
    await index.index();
    expect(all()).toEqual([1, 1, 1]);
    for (const id of ["o", "f"]) {
      const text = id === "o" ? said : fork.replace("mend it", "mend that");
      await index.write(`claude/projects/p/${id}.jsonl`, `\n${text}`);
      await index.index();
      expect(all()).toEqual([1, 1, 1]);
    }
  });
});

test("what stands twice in one transcript is there once", async () => {
  await using index = await testIndex();
  const steps = [{ user: "mend it" }, { edit: "/src/mended.ts" }, { run: "make", exit: 2 }];
  const text = claudeTranscript({ id: "o", cwd: "/tmp", steps });
  await index.write("claude/projects/p/o.jsonl", text + text);
  await index.index();
  expect(facts(index)).toEqual({
    messages: ["o:1000", "o:2000", "o:3000", "o:4000"],
    touches: ["o:2000"],
    commands: ["o:3000"],
    failures: ["o:4000"],
    found: ["o"],
  });
  expect(index.database.all("SELECT * FROM message_copies")).toEqual([]);
});
