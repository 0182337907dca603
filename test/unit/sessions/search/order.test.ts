/** In what order sessions are found, and which. */
import { describe, expect, test } from "bun:test";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { grepMessages } from "../../../../src/sessions/search/grep.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { indexFork, testIndex } from "../../../support/transcripts/index.ts";
import { idsFound, OTHERS, told } from "../../../support/transcripts/told.ts";

// Of equals the later comes first, and they are read in the order of their names: the one that must win is the first.
describe("a search", () => {
  test("puts the later of equals first, whichever word found them", async () => {
    await using index = await told({
      ...OTHERS,
      one: { said: ["go", "a scheduler"] },
      two: { said: ["go", "a teapot on"] },
    });
    expect(idsFound(index, "scheduler teapot")).toEqual(["two", "one"]);
    expect(idsFound(index, "teapot scheduler")).toEqual(["two", "one"]);
  });

  test("counts by length before it cuts the list", async () => {
    const passing = Array.from({ length: 40 }, (_, at) => `step ${at} of other work`);
    await using index = await told({
      ...OTHERS,
      a_short: { said: ["go", "a scheduler"] },
      b_long: { said: ["go", ...passing, "a scheduler", ...passing] },
    });
    expect(idsFound(index, "scheduler", { limit: 1 })).toEqual(["a_short"]);
  });

  test("looks for echoes until none is among the best", async () => {
    const question = "how did we fix the rounding of the billing total?";
    const askers = Object.fromEntries(
      Array.from({ length: 4 }, (_, at) => [`asker${at}`, { said: [question, "I do not know"] }]),
    );
    await using index = await told({
      ...OTHERS,
      answer: { said: ["go", "the billing total is right: rounding happens once"] },
      ...askers,
    });
    expect(idsFound(index, question, { limit: 1 })).toEqual(["answer"]);
  });

  test("takes no other place for a title, in whichever form the word stands there", async () => {
    await using index = await told({
      ...OTHERS,
      a_called: { title: "It broke", said: ["go", "break it"] },
      b_asked: { title: "Other", said: ["please break it"] },
    });
    expect(idsFound(index, "broke")).toEqual(["a_called", "b_asked"]);
  });

  test("counts words that are answered side by side before those far apart", async () => {
    const between = ["tea and", "cake and", "more tea", "more cake"];
    await using index = await told({
      ...OTHERS,
      a_beside: { said: ["go", "the retry", "its budget", ...between] },
      b_apart: { said: ["go", "the retry", ...between, "its budget"] },
    });
    expect(idsFound(index, "retry budget")).toEqual(["a_beside", "b_apart"]);
  });

  test("counts the folder in which a session worked", async () => {
    await using index = await testIndex();
    const places = { inside: "/home/dev/ledger", outside: "/home/dev/other" };
    for (const [id, cwd] of Object.entries({ ...places, third: "/home/x", fourth: "/home/y" })) {
      const steps = [{ user: id in places ? "the ledger" : "something" }];
      await index.write(`claude/projects/p/${id}.jsonl`, claudeTranscript({ id, cwd, steps }));
      await index.index();
    }
    expect(idsFound(index, "ledger")).toEqual(["inside", "outside"]);
  });

  test("tells how good each is, the best the smallest, and of each the three best places", async () => {
    const said = ["a ledger", "the ledger", "ledger", "my ledger", "ledger too", "no"];
    await using index = await told({
      ...OTHERS,
      much: { said },
      once: { said: ["a ledger", "no"] },
    });
    const found = searchSessions(index.database, { words: ["ledger"], limit: 5 });
    const [first = 0, second = 0] = found.map(({ rank }) => rank);
    expect(first).toBeLessThan(second);
    expect(second).toBeLessThan(0);
    expect(found.map(({ hits }) => hits.length)).toEqual([3, 1]);
  });

  test("gives whole texts where they are asked for", async () => {
    const long = `ledger ${"and on ".repeat(100)}end`;
    await using index = await told({ one: { said: ["go", long] } });
    const last = (full: boolean) =>
      searchSessions(index.database, { words: ["ledger"], limit: 1, full })[0]?.last_agent_message;
    expect(last(true)).toBe(long);
    expect([...(last(false) ?? "")]).toHaveLength(240);
  });
});

describe("a time in a question", () => {
  const now = new Date("2026-12-03T10:00:00.000Z");

  test("of every year brings no session of some year without a word of it", async () => {
    await using index = await told({
      ...OTHERS,
      old: { at: "2000-05-10T10:00:00.000Z", said: ["hello", "nothing"] },
      may: { at: "2023-05-10T10:00:00.000Z", said: ["hello", "the deploy"] },
    });
    expect(idsFound(index, "deploy in May")).toEqual(["may"]);
  });

  test("keeps to the filter", async () => {
    await using index = await told({ one: { at: "2026-11-10T10:00:00.000Z", said: ["hello"] } });
    expect(idsFound(index, "what did we do last month", { now })).toEqual(["one"]);
    expect(idsFound(index, "what did we do last month", { now, provider: "codex" })).toEqual([]);
  });

  test("is that of what was said, not of the end of the session", async () => {
    await using index = await testIndex();
    const write = async (id: string, steps: readonly { agent: string; at: string }[]) => {
      const text = claudeTranscript({ id, cwd: "/gone", steps: [{ user: "go" }, ...steps] });
      await index.write(`claude/projects/p/${id}.jsonl`, text);
      await index.index();
    };
    const deploy = (at: string) => ({ agent: "the deploy", at });
    await write("may", [
      deploy("2023-05-10T10:00:00.000Z"),
      { agent: "bye", at: "2026-12-03T00:00:00.000Z" },
    ]);
    await write("june", [deploy("2023-06-10T10:00:00.000Z")]);
    expect(idsFound(index, "deploy in May 2023")).toEqual(["may", "june"]);
  });

  test("is not that of a session without times", async () => {
    await using index = await told({
      may: { at: "2023-05-10T10:00:00.000Z", said: ["hello", "the deploy"] },
    });
    const message = { role: "user", content: "the deploy" };
    const record = { type: "user", sessionId: "timeless", uuid: "u", message };
    await index.write("claude/projects/p/timeless.jsonl", `${JSON.stringify(record)}\n`);
    await index.index();
    expect(idsFound(index, "deploy in May 2023")).toEqual(["may", "timeless"]);
  });
});

describe("grep", () => {
  const order = async (first: string, second: string) => {
    await using index = await told({
      first: { at: first, said: ["exit 137"] },
      second: { at: second, said: ["exit 137"] },
    });
    return grepMessages(index.database, { text: "exit 137", limit: 5 }).map(
      ({ session_id: id }) => id,
    );
  };

  test("gives the newest first, of equals that which was read last", async () => {
    const [early, late] = ["2026-12-01T10:00:00.000Z", "2026-12-02T10:00:00.000Z"];
    expect(await order(late, early)).toEqual(["first", "second"]);
    expect(await order(early, early)).toEqual(["second", "first"]);
  });

  test("keeps to what one said, and the title to one line", async () => {
    const said = [`exit\n137 ${"and on ".repeat(100)}`, "it was exit\n137"];
    await using index = await told({ one: { said } });
    const [hit, ...others] = grepMessages(index.database, { text: "137", limit: 5, role: "user" });
    expect(others).toEqual([]);
    expect(hit).toMatchObject({ role: "user", title: expect.stringMatching(/^exit 137 .{231}$/) });
  });

  test("marks the place whatever capitals stand before it", async () => {
    await using index = await told({ one: { said: ["go", "İİİ NEEDLE"] } });
    const request = { text: "needle", limit: 1, ignore_case: true };
    expect(grepMessages(index.database, request)[0]?.matches).toEqual([[4, 10]]);
  });

  test("shows around a place of a fork what that took over", async () => {
    await using index = await testIndex();
    const id = await indexFork(index);
    const { messages } = showSession(index.database, { id, transcript: true });
    const own = index.database.all<{ line_no: number; text: string }>(
      `SELECT line_no, text FROM messages JOIN sessions ON sessions.key = session
       WHERE id = ? ORDER BY line_no LIMIT 1`,
      id,
    );
    const [{ line_no: line = 0, text = "" } = {}] = own;
    const hits = grepMessages(index.database, { text, limit: 9, context: 99 });
    const hit = hits.find(({ session_id }) => session_id === id);
    const earlier = messages.filter(({ line_no }) => line_no < line);
    expect(earlier.length).toBeGreaterThan(0);
    expect(hit?.before?.map(({ line_no }) => line_no)).toEqual(
      earlier.map(({ line_no }) => line_no),
    );
  });

  test("shows nothing around a place of other sessions, and little of each message", async () => {
    const long = `before\n${"and on ".repeat(100)}`;
    await using index = await told({
      other: { said: ["other", "exit 1", "other"] },
      one: { said: [long, "exit 137", "after"] },
    });
    const [hit] = grepMessages(index.database, { text: "exit 137", limit: 1, context: 5 });
    const [before] = hit?.before ?? [];
    expect(hit?.before).toHaveLength(1);
    expect(before?.snippet).toStartWith("before and on and on");
    expect([...(before?.snippet ?? "")]).toHaveLength(240);
    expect(hit?.after?.map(({ snippet }) => snippet)).toEqual(["after"]);
  });
});
