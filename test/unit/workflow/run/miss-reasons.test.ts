import { describe, expect, test } from "bun:test";
import type { CallRecord, CallTraits } from "../../../../src/workflow/run/call-records.ts";
import { explainMisses, type MissedCall } from "../../../../src/workflow/run/miss-reasons.ts";

const TRAITS: CallTraits = {
  primitive: "agent",
  prompt: "p",
  label: "l",
  model: "",
  schema: "",
  mode: "read-only",
  provider: "",
  repo: "/r",
  args: "a",
  network: false,
};

/** Calls differ in what `traits` says; their fingerprint follows. The prompt is its own hash. */
function missed(scope: string, traits: Partial<CallTraits> = {}, occurrence = 0): MissedCall {
  const all = { ...TRAITS, ...traits };
  return {
    identity: { scope, fingerprint: JSON.stringify(all), occurrence },
    traits: all,
    prompt: all.prompt,
  };
}

function record(
  scope: string,
  traits: Partial<CallTraits> = {},
  outcome: CallRecord["outcome"] = "ok",
): CallRecord {
  const { identity, traits: all } = missed(scope, traits);
  return { callId: `${scope} ${all.label}`, identity, traits: all, outcome };
}

function explain(calls: readonly MissedCall[], records: readonly CallRecord[]) {
  const { reasons, rest } = explainMisses(calls, records, (hash) => hash);
  return {
    reasons: calls.map((call) => reasons.get(call)),
    rest: rest.map(({ callId }) => callId),
  };
}

describe("a call that is not in the journal", () => {
  test("and like nothing in it was never run", () => {
    expect(explain([missed("")], [])).toEqual({ reasons: ["never run"], rest: [] });
    expect(explain([missed("")], [record("parallel#0[0]", { label: "x" })])).toEqual({
      reasons: ["never run"],
      rest: ["parallel#0[0] x"],
    });
  });

  test("failed before, also where its siblings swapped", () => {
    const failed = record("parallel#1[0]", {}, "timeout");
    for (const scope of ["parallel#1[0]", "parallel#0[0]"]) {
      expect(explain([missed(scope)], [failed]).reasons).toEqual(["failed before: timeout"]);
    }
  });

  test("never finished", () => {
    const { outcome: _, ...open } = record("");
    expect(explain([missed("")], [open]).reasons).toEqual(["never finished"]);
  });

  test("moved to another scope", () => {
    expect(explain([missed("pipeline#0[1].0")], [record("")])).toEqual({
      reasons: ["moved: same work in another scope"],
      rest: [],
    });
  });

  test.each(["label", "model", "schema", "mode", "provider", "repo", "args"] as const)(
    "has another %s",
    (name) => {
      expect(explain([missed("", { [name]: "new" })], [record("")]).reasons).toEqual([
        `${name} changed`,
      ]);
    },
  );

  test("asks for network", () => {
    expect(explain([missed("", { network: true })], [record("")]).reasons).toEqual([
      "network changed",
    ]);
  });

  test("has another prompt, and more", () => {
    const call = missed("", { prompt: "q", model: "m", schema: "s" });
    expect(explain([call], [record("")]).reasons).toEqual([
      'prompt changed: first difference at character 1 ("p" → "q"); model, schema changed',
    ]);
  });

  test("is held against the record of its label, then of its prompt, then the next of its scope", () => {
    const calls = [
      missed("", { label: "new", prompt: "other" }),
      missed("", { label: "b", prompt: "q2" }),
      missed("", { label: "c2", prompt: "r" }),
    ];
    const records = [
      record("", { label: "a", prompt: "p" }),
      record("", { label: "b", prompt: "q" }),
      record("", { label: "c", prompt: "r" }),
      record("", { label: "d", prompt: "s" }),
    ];
    expect(explain(calls, records)).toEqual({
      reasons: [
        'prompt changed: first difference at character 1 ("p" → "other"); label changed',
        'prompt changed: first difference at character 2 ("" → "2")',
        "label changed",
      ],
      rest: [" d"],
    });
  });

  test("is not held against a call of another primitive", () => {
    expect(explain([missed("")], [record("", { primitive: "check" })]).reasons).toEqual([
      "never run",
    ]);
  });
});
