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
