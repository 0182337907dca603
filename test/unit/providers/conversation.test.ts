import { describe, expect, test } from "bun:test";
import { accountOf, asLeft, conversationText } from "../../../src/providers/conversation.ts";
import { parseUsage } from "../../../src/providers/usage.ts";
import { agentTask } from "../../support/provider-fixtures.ts";

type Report = Readonly<Record<string, unknown>>;

const had = (id: string, used?: Report) => conversationText({ provider: "p", id, used }) ?? "";

function account(session: string | undefined, id: string, report?: Report) {
  const total = report === undefined ? undefined : parseUsage(JSON.stringify(report), "p").usage;
  const task = agentTask("/", { provider: "p", ...(session === undefined ? {} : { session }) });
  return accountOf(task, { provider: "p", id, total });
}

describe("what a process used of a conversation that it took up again", () => {
  const before = { input_tokens: 100, output_tokens: 10, cost_usd: 0.3 };

  test("is what its reports grew by", () => {
    const after = { input_tokens: 150, output_tokens: 10, cost_usd: 0.4, kind: "x", more: 1 };
    expect(account(had("c", before), "c", after)).toEqual({
      usage: {
        ...{ inputTokens: 50, outputTokens: 0, costMicros: 100_000 },
        raw: '{"input_tokens":50,"output_tokens":0,"cost_usd":0.1,"kind":"x","more":1}',
      },
      session: had("c", after),
    });
  });

  test.each([
    { input_tokens: 150, output_tokens: 9, cost_usd: 0.4 },
    { input_tokens: 99, output_tokens: 20, cost_usd: 0.4 },
    { input_tokens: 150, output_tokens: 20, cost_usd: 0.299_999 },
  ])("is all of a report with a lower number: it was begun anew (%j)", (after) => {
    const { usage, session } = account(had("c", before), "c", after);
    expect(usage).toMatchObject({
      inputTokens: after.input_tokens,
      outputTokens: after.output_tokens,
      costMicros: Math.round(after.cost_usd * 1e6),
    });
    expect(session).toBe(had("c", after));
  });

  test("is all of it in another conversation, or where nobody knows what it was before", () => {
    for (const session of [had("c"), had("other", before), undefined]) {
      expect(account(session, "c", before).usage).toMatchObject({ inputTokens: 100 });
    }
  });

  test("is still known when a process says nothing of it", () => {
    expect(account(had("c", before), "c")).toEqual({ session: had("c", before) });
    expect(account(had("c", before), "other")).toEqual({ session: had("other") });
    expect(account(had("c", before), "")).toEqual({});
  });
});

test("a conversation is as the last attempt left it, if it was the one that attempt had", () => {
  const [before, after] = [had("c", { input_tokens: 1 }), had("c", { input_tokens: 2 })];
  expect(asLeft(before, after)).toBe(after);
  expect(asLeft(before, undefined)).toBe(before);
  expect(asLeft(before, had("other"))).toBe(before);
  expect(asLeft(before, conversationText({ provider: "q", id: "c" }))).toBe(before);
  expect(asLeft(undefined, after)).toBeUndefined();
});
