/** What is read from transcripts that the real command lines wrote. */
import { describe, expect, test } from "bun:test";
import type { TranscriptProvider } from "../../../../src/sessions/transcripts/types.ts";
import {
  fixtureRecords,
  type ReadTranscript,
  readFixture,
  readRecords,
} from "../../../support/transcripts/fixtures.ts";

const PROVIDERS: readonly TranscriptProvider[] = ["codex", "claude"];
const TOKENS_OF_ANSWER = 127;

function asked({ messages }: ReadTranscript): readonly string[] {
  return messages.filter(({ role }) => role === "user").map(({ text }) => text);
}

function answered({ messages }: ReadTranscript): readonly string[] {
  return messages
    .filter(({ role, kind }) => role === "assistant" && kind === "message")
    .map(({ text }) => text);
}

describe.each(PROVIDERS)("a session of %s", (provider) => {
  test("says who worked, where, on what, and since when", () => {
    const { header, unknown } = readFixture(provider, "session");
    expect(header).toMatchObject({
      parentId: "",
      firstUserMessage: "Fix the billing total that check.sh complains of",
      cwd: "/home/dev/billing",
      gitBranch: "main",
      gitOriginUrl: provider === "codex" ? "https://example.com/acme/billing.git" : "",
      modelProvider: provider === "codex" ? "mock" : "anthropic",
      model: provider === "codex" ? "gpt-5.5" : "claude-test",
      cliVersion: provider === "codex" ? "0.169.0" : "2.1.332",
    });
    expect(header.createdAt).toMatch(/^2026-12-03T06:00:\d\d\.\d{3}Z$/);
    expect(header.updatedAt > header.createdAt).toBe(true);
    expect(unknown).toBe(false);
  });

  test("is told once, resumed and compacted as it was", () => {
    const read = readFixture(provider, "session");
    expect(asked(read)).toEqual(
      provider === "codex"
        ? [
            "Fix the billing total that check.sh complains of",
            "Is anything left?",
            "Now compact and go on",
          ]
        : [
            "Fix the billing total that check.sh complains of",
            "Is anything left?",
            "/compact",
            "After the compaction: anything left?",
          ],
    );
    expect(answered(read).slice(0, 2)).toEqual([
      "The billing total adds now.",
      "The billing total adds now.",
    ]);
    expect(read.messages.filter(({ kind }) => kind === "summary")).toHaveLength(1);
    const places = read.messages.map(({ lineNo }) => lineNo);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("names commands with how they ended, and files with what was done to them", () => {
    const { commands, results, touches } = readFixture(provider, "session");
    const ends = commands.slice(0, 2).map(({ callId, command }) => {
      const result = results.find((candidate) => candidate.callId === callId);
      return { command, exitCode: result?.exitCode, failed: result?.failed };
    });
    expect(ends).toEqual([
      { command: "sh check.sh", exitCode: 1, failed: true },
      { command: "sh check.sh", exitCode: 0, failed: false },
    ]);
    const failure = results.find(({ failed }) => failed);
    expect(failure?.excerpt).toContain("FAIL billing total: expected 3, got -1");
    expect(touches).toContainEqual(
      expect.objectContaining({ path: "/home/dev/billing/billing.ts", kind: "edited" }),
    );
  });

  test("is read on from any line as if it had been read at once", () => {
    const whole = readFixture(provider, "session");
    for (let stop = 0; stop < fixtureRecords(provider, "session").length; stop += 1) {
      expect(readFixture(provider, "session", [stop])).toEqual(whole);
    }
  });

  test("counts tokens as the vendor does, and every answer once", () => {
    const { header, usage } = readFixture(provider, "session");
    const answers = new Map(usage.map(({ uid, tokens }) => [uid, tokens]));
    expect(answers.size).toBe(usage.length);
    expect(new Set(answers.values())).toEqual(new Set([TOKENS_OF_ANSWER]));
    const vendor = vendorTokens(provider);
    expect(header.tokensUsed).toBe(vendor);
  });

  test("that helped itself to another is its parent", () => {
    const parent = readFixture(provider, "helped").header;
    const child = readFixture(provider, "helper").header;
    expect(child.parentId).toBe(parent.id);
    expect(child.id).not.toBe(parent.id);
    expect(child.firstUserMessage).not.toBe(parent.firstUserMessage);
  });

  test("shares with its fork what both were told before, and nothing else", () => {
    const origin = readFixture(provider, "session");
    const fork = readFixture(provider, "fork");
    const known = new Set(origin.messages.map(({ uid }) => uid));
    const own = fork.messages.filter(({ uid }) => !known.has(uid)).map(({ text }) => text);
    expect(own).toEqual(["In the fork: anything left?", "The billing total adds now."]);
    expect(fork.header.id).not.toBe(origin.header.id);
  });
});

/** The last sum in the transcript that the vendor's program made itself. */
function vendorTokens(provider: TranscriptProvider): number {
  let sum = 0;
  for (const record of fixtureRecords(provider, "session")) {
    const { type, payload, modelUsage } = record as {
      type: string;
      payload?: { type: string; info?: { total_token_usage: { total_tokens: number } } };
      modelUsage?: Record<string, Record<string, number>>;
    };
    if (payload?.type === "token_count") sum = payload.info?.total_token_usage.total_tokens ?? sum;
    if (type !== "cost-state") continue;
    sum = 0;
    for (const usage of Object.values(modelUsage ?? {})) {
      for (const name of ["inputTokens", "outputTokens", "cacheReadInputTokens"]) {
        sum += usage[name] ?? 0;
      }
    }
  }
  return sum;
}

test("a helper of Codex begins with a copy of its parent's conversation, which stays the parent's", () => {
  const parent = readFixture("codex", "helped");
  const child = readFixture("codex", "helper");
  const known = new Set(parent.messages.map(({ uid }) => uid));
  expect(child.messages.filter(({ uid }) => known.has(uid))).toHaveLength(2);
  expect(child.header.status).toBe("complete");
});

test("a helper of Codex is called by its task where what it was told is encrypted, else by what it was told", () => {
  const told = (text: string) => ({
    type: "response_item",
    payload: { type: "agent_message", content: [{ type: "input_text", text }] },
  });
  const meta = (source: object) => ({ type: "session_meta", payload: { id: "h", source } });
  const spawned = (names: object) => meta({ subagent: { thread_spawn: names } });
  const envelope = "Message Type: NEW_TASK\nTask name: /root/look\nSender: /root\nPayload:\n";
  const named = spawned({ agent_path: "/root/look", agent_nickname: "Lorentz" });
  const called = (first: Record<string, unknown>, ...texts: readonly string[]) => {
    const { header, messages } = readRecords("codex", [first, ...texts.map(told)]);
    return [header.title, header.firstUserMessage, messages.length];
  };
  expect(readFixture("codex", "helper").header.title).toBe("look (helper Lorentz)");
  expect(called(named, envelope, "go on")).toEqual(["look (helper Lorentz)", "go on", 2]);
  expect(called(named, `${envelope}Look at\nbilling`)).toEqual(["", "Look at\nbilling", 1]);
  expect(called(spawned({ agent_nickname: "Lorentz" }), envelope)).toEqual([
    "helper Lorentz",
    "",
    1,
  ]);
  expect(called(spawned({ agent_path: "/root/look" }), envelope)).toEqual(["look (helper)", "", 1]);
  expect(called(meta({}), envelope)).toEqual(["", "", 1]);
});

test("rollouts of Codex that name no session share nothing, whatever was said in both", () => {
  const content = [{ type: "input_text", text: "hello" }];
  const record = { type: "response_item", payload: { type: "message", role: "user", content } };
  const [one, other] = ["one", "other"].map((name) => readRecords("codex", [record], name));
  expect(one?.messages).toHaveLength(1);
  expect(one?.messages[0]?.uid).not.toBe(other?.messages[0]?.uid);
});

test("answers without an id each count, and once in all that hold a copy", () => {
  const answer = (sessionId: string, uuid?: string) => ({
    type: "assistant",
    sessionId,
    uuid,
    message: { role: "assistant", content: "yes", usage: { output_tokens: 5 } },
  });
  const named = [answer("a", "1"), answer("a", "2")];
  const copied = [answer("b", "1"), answer("b", "2")];
  const nameless = [answer("a"), answer("a")];
  const usage = { type: "token_usage_record", payload: { usage: { total_tokens: 5 } } };
  const uids = [
    ...[named, copied, nameless].map((records) => readRecords("claude", records)),
    readRecords("codex", [usage, usage]),
  ].map((read) => read.usage.map(({ uid }) => uid));
  expect(uids[0]).toEqual(uids[1]);
  expect(new Set(uids.flat()).size).toBe(2 + 2 + 2);
  expect(uids.flat()).not.toContain("");
});

describe("what Codex tells twice", () => {
  const event = (type: string, payload: object = {}) => ({
    type: "event_msg",
    payload: { type, ...payload },
  });
  const asked = event("user_message", { message: "go on" });
  const content = [{ type: "input_text", text: "go on" }];
  const item = { type: "response_item", payload: { type: "message", role: "user", content } };

  test.each([
    ["an event and its item are one message", [asked, item], 1],
    ["two events are two messages", [asked, asked], 2],
    ["two events are two messages, and their items none", [asked, asked, item, item], 2],
    ["an item more than there were events is another message", [asked, item, item], 2],
    ["a turn later all is new", [asked, item, event("task_started"), asked, item], 2],
  ])("%s", (_name, records, count) => {
    const stops = records.map((_, index) => index);
    for (const read of [readRecords("codex", records), readRecords("codex", records, "x", stops)]) {
      expect(read.messages.map(({ text }) => text)).toEqual(new Array(count).fill("go on"));
    }
  });

  test("how its parent's turn ended is not how a helper's did", () => {
    const meta = (id: string) => ({ type: "session_meta", payload: { id } });
    const copied = [meta("helper"), meta("parent"), asked, event("turn_aborted")];
    const own = event("task_started", { thread_id: "helper" });
    expect(readRecords("codex", copied).header.status).toBe("aborted");
    const { header } = readRecords("codex", [...copied, own]);
    expect(header).toMatchObject({ status: "", firstUserMessage: "", forkedFrom: "parent" });
  });
});

describe("a transcript of Claude Code", () => {
  const said = (role: string, text: string, more: object = {}) => ({
    type: role,
    sessionId: "s",
    message: { id: "m", role, content: [{ type: "text", text }], usage: { output_tokens: 5 } },
    ...more,
  });

  test("counts what an answer cost once, in however many blocks it is written", () => {
    const read = readRecords("claude", [said("assistant", "one"), said("assistant", "two")]);
    expect(read.usage.map(({ tokens }) => tokens)).toEqual([5]);
    expect(read.header.tokensUsed).toBe(5);
  });

  test("has the sum of tokens from the program itself, once it says one", () => {
    const sum = { type: "cost-state", modelUsage: { x: { inputTokens: 90, outputTokens: 10 } } };
    const more = said("assistant", "two", { message: { id: "n", usage: { output_tokens: 5 } } });
    const { header } = readRecords("claude", [said("assistant", "one"), sum, more]);
    expect(header.tokensUsed).toBe(100);
  });

  test("of a helper stays the helper's, though other records name the session", () => {
    const records = [
      said("user", "help", { isSidechain: true, agentId: "a1" }),
      said("system", "x"),
    ];
    expect(readRecords("claude", records).header).toMatchObject({ id: "agent-a1", parentId: "s" });
  });

  test("has nothing of the user's in what the program put there", () => {
    const { messages, header } = readRecords("claude", [
      said("user", "by the way", { isMeta: true }),
    ]);
    expect(messages).toEqual([]);
    expect(header.firstUserMessage).toBe("");
  });

  test("keeps the title that the user gave", () => {
    const titles = [
      { type: "ai-title", aiTitle: "first" },
      { type: "custom-title", customTitle: "mine" },
      { type: "ai-title", aiTitle: "second" },
    ];
    expect(readRecords("claude", titles).header.title).toBe("mine");
    expect(readRecords("claude", titles.slice(0, 1)).header.title).toBe("first");
  });
});
