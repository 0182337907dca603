import { describe, expect, test } from "bun:test";
import {
  type CallContent,
  createOccurrences,
  fingerprint,
  looseScope,
} from "../../../../src/workflow/run/identity.ts";
import { createRecorded, type SettledCall } from "../../../../src/workflow/run/replay.ts";

const CONTENT: CallContent = {
  primitive: "agent",
  prompt: "look",
  label: "a",
  provider: "",
  model: "",
  mode: "read-only",
  isolation: "",
  repo: "/r",
  schema: { type: "object", properties: { b: {}, a: {} } },
  args: null,
  network: false,
};

function settled(scope: string, print: string, occurrence: number, output: string): SettledCall {
  return { identity: { scope, fingerprint: print, occurrence }, callId: output, output, seen: [] };
}

describe("fingerprint()", () => {
  test("ignores the order of keys", () => {
    const reordered = { ...CONTENT, schema: { properties: { a: {}, b: {} }, type: "object" } };
    expect(fingerprint(reordered)).toBe(fingerprint(CONTENT));
  });

  test.each([
    ["prompt", "other"],
    ["label", "b"],
    ["provider", "claude"],
    ["model", "m"],
    ["mode", "test"],
    ["repo", "/other"],
    ["schema", null],
    ["args", { topic: 1 }],
    ["network", true],
    ["primitive", "check"],
  ])("changes with the %s", (field, value) => {
    expect(fingerprint({ ...CONTENT, [field]: value })).not.toBe(fingerprint(CONTENT));
  });
});

describe("looseScope()", () => {
  test("drops the ordinals of siblings and keeps items and stages", () => {
    expect(looseScope("parallel#1[3]/pipeline#0[2].1")).toBe("parallel[3]/pipeline[2].1");
  });
});

describe("createOccurrences()", () => {
  test("counts equal fingerprints inside one scope only", () => {
    const next = createOccurrences();
    expect([next("", "f"), next("", "f"), next("", "g"), next("parallel#0[0]", "f")]).toEqual([
      0, 1, 0, 0,
    ]);
  });
});

describe("createRecorded()", () => {
  test("finds the exact key", () => {
    const replay = createRecorded([settled("", "f", 0, "one"), settled("", "f", 1, "two")]);
    expect(replay.take({ scope: "", fingerprint: "f", occurrence: 1 })?.output).toBe("two");
    expect(replay.take({ scope: "", fingerprint: "f", occurrence: 0 })?.output).toBe("one");
  });

  test("falls back to the same work in a sibling scope whose ordinal swapped", () => {
    const replay = createRecorded([
      settled("parallel#0[0]", "left", 0, "left"),
      settled("parallel#1[0]", "right", 0, "right"),
    ]);
    expect(
      replay.take({ scope: "parallel#0[0]", fingerprint: "right", occurrence: 0 })?.output,
    ).toBe("right");
    expect(
      replay.take({ scope: "parallel#1[0]", fingerprint: "left", occurrence: 0 })?.output,
    ).toBe("left");
  });

  test("gives each record out once", () => {
    const replay = createRecorded([settled("", "f", 0, "one")]);
    const identity = { scope: "", fingerprint: "f", occurrence: 0 };
    expect(replay.take(identity)?.output).toBe("one");
    expect(replay.take(identity)).toBeUndefined();
    expect(replay.take({ ...identity, occurrence: 1 })).toBeUndefined();
  });

  test("never crosses items, stages or fingerprints", () => {
    const replay = createRecorded([settled("parallel#0[0]", "f", 0, "one")]);
    expect(
      replay.take({ scope: "parallel#0[1]", fingerprint: "f", occurrence: 0 }),
    ).toBeUndefined();
    expect(
      replay.take({ scope: "parallel#0[0]", fingerprint: "g", occurrence: 0 }),
    ).toBeUndefined();
  });

  test("gives each of two equal calls a record, though both were recorded under one key", () => {
    const replay = createRecorded([settled("", "f", 1, "one"), settled("", "f", 1, "two")]);
    const take = (occurrence: number) => replay.take({ scope: "", fingerprint: "f", occurrence });
    expect([take(0)?.output, take(1)?.output].sort()).toEqual(["one", "two"]);
    expect(take(2)).toBeUndefined();
  });

  test("takes the later of two records with one key", () => {
    const replay = createRecorded([settled("", "f", 0, "old"), settled("", "f", 0, "new")]);
    expect(replay.take({ scope: "", fingerprint: "f", occurrence: 0 })?.output).toBe("new");
  });
});

test("a record is there until it is taken", () => {
  const { identity } = settled("", "f", 0, "a");
  const records = createRecorded([settled("", "f", 0, "a")]);
  expect(records.has(identity)).toBe(true);
  records.take(identity);
  expect(records.has(identity)).toBe(false);
});
