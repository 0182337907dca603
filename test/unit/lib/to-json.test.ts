import { describe, expect, test } from "bun:test";
import { toJson } from "../../../src/lib/to-json.ts";

const OPTIONS = { name: "$", limit: 10_000 };

function valueAndNotes(value: unknown) {
  const encoding = toJson(value, OPTIONS);
  if (!encoding.ok) throw new Error(encoding.message);
  return { value: JSON.parse(JSON.stringify(encoding.value)), notes: encoding.notes };
}

function refusal(value: unknown) {
  const encoding = toJson(value, OPTIONS);
  return encoding.ok ? "" : encoding.message;
}

describe("toJson()", () => {
  test("keeps data, key order included", () => {
    const data = { b: [1, "two", true, null, { c: -1.5 }], a: {} };
    expect(JSON.stringify(valueAndNotes(data).value)).toBe(JSON.stringify(data));
    expect(valueAndNotes(data).notes).toEqual([]);
  });

  test("undefined members and holes become null", () => {
    const holes: unknown[] = [undefined];
    holes[2] = 1;
    expect(valueAndNotes({ a: undefined, b: holes }).value).toEqual({
      a: null,
      b: [null, null, 1],
    });
  });

  test("numbers that JSON cannot say become null, with a note", () => {
    const { value, notes } = valueAndNotes({ a: Number.NaN, b: [1, -Infinity] });
    expect(value).toEqual({ a: null, b: [1, null] });
    expect(notes).toEqual(["$.a is NaN and became null", "$.b[1] is -Infinity and became null"]);
  });

  test("notes are few, and say how many are missing", () => {
    const { notes } = valueAndNotes(Array.from({ length: 50 }, () => Number.NaN));
    expect(notes).toHaveLength(10);
    expect(notes.at(-1)).toBe("and 41 more like these");
  });

  test("dates become ISO text, invalid ones null with a note", () => {
    expect(valueAndNotes([new Date(0)]).value).toEqual(["1970-01-01T00:00:00.000Z"]);
    expect(valueAndNotes({ "a b": new Date(Number.NaN) }).notes).toEqual([
      '$["a b"] is an invalid Date and became null',
    ]);
  });

  test("errors become name, message and code", () => {
    const coded = Object.assign(new TypeError("no"), { code: "E1", secret: 1 });
    expect(valueAndNotes([new Error("boom"), coded]).value).toEqual([
      { name: "Error", message: "boom" },
      { name: "TypeError", message: "no", code: "E1" },
    ]);
  });

  test("a member named __proto__ stays a member", () => {
    const { value } = valueAndNotes(JSON.parse('{"__proto__": {"x": 1}}'));
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(value.x).toBeUndefined();
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle];
  const refused: [string, unknown, string][] = [
    ["a function", { a: [1, 2, () => 1] }, "$.a[2] is a function"],
    ["a toJSON method", { toJSON: () => 1 }, "$.toJSON is a function"],
    ["a symbol", [Symbol("s")], "$[0] is a symbol"],
    ["a bigint", { n: 1n }, "$.n is a bigint"],
    ["a Map", { m: new Map() }, "$.m is a Map"],
    ["a Set", new Set(), "$ is a Set"],
    ["a promise", [Promise.resolve(1)], "$[0] is a promise"],
    ["a typed array", { u: new Uint8Array(1) }, "$.u is a typed array"],
    ["a regular expression", /x/, "$ is a regular expression"],
    ["a boxed string", Object("x"), "$ is a String object"],
    ["a cycle", cycle, "$.self[0] contains itself"],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("boom");
        },
      },
      "$ cannot be read: Error: boom",
    ],
    ["a revoked proxy", revokedProxy(), "$ cannot be read"],
  ];
  test.each(refused)("refuses %s and says where", (_, value, message) => {
    expect(refusal(value)).toStartWith(message);
    expect(toJson(value, OPTIONS)).toMatchObject({ ok: false, code: "not_data" });
  });

  test("the same object twice is no cycle", () => {
    const shared = { x: 1 };
    expect(valueAndNotes([shared, { shared }]).value).toEqual([{ x: 1 }, { shared: { x: 1 } }]);
  });

  test("refuses deep nesting before the stack ends", () => {
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level += 1) value = [value];
      return value;
    };
    expect(toJson(nested(500), OPTIONS).ok).toBe(true);
    expect(refusal(nested(100_000))).toEndWith("is nested deeper than 500 levels");
  });

  test("refuses what is too large, also when it is small in memory", () => {
    let doubling: unknown = "x";
    for (let level = 0; level < 100; level += 1) doubling = [doubling, doubling];
    const holes: unknown[] = [];
    holes.length = 4e9;
    for (const value of ["x".repeat(20_000), doubling, holes]) {
      expect(toJson(value, OPTIONS)).toMatchObject({ ok: false, code: "too_large" });
    }
  });
});

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
