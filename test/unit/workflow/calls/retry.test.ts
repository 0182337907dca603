import { describe, expect, test } from "bun:test";
import type { ProviderResult } from "../../../../src/providers/contract.ts";
import { accountOf, asLeft, conversationText } from "../../../../src/providers/conversation.ts";
import { parseUsage } from "../../../../src/providers/usage.ts";
import { askWithRetries, backoffMs } from "../../../../src/workflow/calls/retry.ts";
import { agentTask } from "../../../support/provider-fixtures.ts";

const BUSY: ProviderResult = { ok: false, outcome: "failed", message: "429", transient: true };
const GOOD: ProviderResult = { ok: true, text: "good" };

type Ask = Parameters<typeof askWithRetries>[0]["ask"];

/** Asks a provider that gives these answers in turn; nothing waits, the waits are told. */
async function ask(
  answers: readonly ProviderResult[] | Ask,
  {
    retries = 3,
    leftMs = Number.POSITIVE_INFINITY,
    interruptAfter = 99,
    turns = 99,
    affordable = 99,
  } = {},
) {
  const waits: number[] = [];
  let afforded = 0;
  const asked = await askWithRetries({
    ask: typeof answers === "function" ? answers : async (attempt) => answers[attempt] ?? GOOD,
    retries,
    leftMs: () => leftMs,
    wait: async (ms) => waits.push(ms) <= turns,
    affordsMore: () => {
      afforded += 1;
      return afforded <= affordable;
    },
    isInterrupted: () => waits.length >= interruptAfter,
    random: () => 1,
    notice: () => {},
  });
  return { ...asked, waits };
}

describe("a call whose provider is busy", () => {
  test("is tried again ever later, within bounds", async () => {
    expect(await ask([BUSY, BUSY, GOOD])).toEqual({
      answer: GOOD,
      attempts: 3,
      waits: [1000, 2000],
    });
    const { answer, attempts, waits } = await ask([BUSY, BUSY, BUSY, BUSY, GOOD]);
    expect(answer).toEqual(BUSY);
    expect({ attempts, waits }).toEqual({ attempts: 4, waits: [1000, 2000, 4000] });
  });

  test("is waited for as long as its text says", async () => {
    const waits = async (message: string) => (await ask([{ ...BUSY, message }])).waits;
    expect(await waits("Rate limit reached, please retry after 7 seconds")).toEqual([7000]);
    expect(await waits("Rate limit reached. Please try again in 7.5s.")).toEqual([7500]);
    expect(await waits("429: retry-after: 3")).toEqual([3000]);
  });

  test("is waited for as long as its usage file says, which makes it transient", async () => {
    const named: ProviderResult = {
      ok: false,
      outcome: "failed",
      message: "no",
      usage: { retryAfterSeconds: 2.5, raw: "{}" },
    };
    expect((await ask([named])).waits).toEqual([2500]);
  });

  test("is not waited for for hours, even by a call without a limit", async () => {
    const message = "rate limit, try again in 3 hours";
    expect(await ask([{ ...BUSY, message }])).toMatchObject({ attempts: 1, waits: [] });
  });

  test("is not waited for beyond the call's time", async () => {
    expect(await ask([BUSY, GOOD], { leftMs: 900 })).toMatchObject({ attempts: 1, waits: [] });
  });

  test("is left alone when the run is interrupted meanwhile", async () => {
    const { answer } = await ask([BUSY, GOOD], { interruptAfter: 1 });
    expect(answer).toMatchObject({ ok: false, outcome: "cancelled" });
  });

  test("keeps its failure when its time is up before its turn", async () => {
    expect(await ask([BUSY, GOOD], { turns: 0 })).toEqual({
      answer: BUSY,
      attempts: 1,
      waits: [1000],
    });
  });

  test("is not asked again with money that the run does not have, before or after the wait", async () => {
    const message = "429; workflow budget exhausted: it is not tried again";
    const refused = { answer: { ...BUSY, message }, attempts: 1 };
    expect(await ask([BUSY, GOOD], { affordable: 0 })).toEqual({ ...refused, waits: [] });
    expect(await ask([BUSY, GOOD], { affordable: 1 })).toEqual({ ...refused, waits: [1000] });
  });

  test("that fails for good is not tried again", async () => {
    const failed: ProviderResult = { ok: false, outcome: "failed", message: "no" };
    expect(await ask([failed])).toMatchObject({ attempts: 1, waits: [] });
  });
});

test("each attempt at one conversation is charged with what it added to it", async () => {
  const session = (used: number) =>
    conversationText({ provider: "p", id: "c", used: { output_tokens: used } });
  const totals = [130, undefined, 145];
  const { answer } = await ask(async (attempt, last) => {
    const conversation = asLeft(session(100), last?.session);
    const task = agentTask("/", { provider: "p", session: conversation ?? "" });
    const used = totals[attempt];
    const total = parseUsage(JSON.stringify({ output_tokens: used }), "p").usage;
    const spent = used === undefined ? {} : accountOf(task, { provider: "p", id: "c", total });
    return { ...(attempt < 2 ? BUSY : GOOD), ...spent };
  });
  expect(answer).toEqual({
    ...GOOD,
    usage: { outputTokens: 45, raw: '{"output_tokens":45}' },
    ...{ session: session(145) ?? "" },
  });
});

test("a wait is from half to all of its length, a minute at most", () => {
  expect([backoffMs(1, 0), backoffMs(1, 1), backoffMs(3, 0.5), backoffMs(20, 1)]).toEqual([
    500, 1000, 3000, 60_000,
  ]);
});
