import { afterAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/lib/json.ts";
import { createSchemaValidator } from "../../../../src/workflow/engine/schema-host.ts";

const ENTRY = new URL("../../../../workers/schema/main.ts", import.meta.url);
const validator = createSchemaValidator(ENTRY);
afterAll(() => validator.close());

/** `expect().rejects` blocks the event loop in a way that holds back the worker's messages. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await promise };
  } catch (error) {
    return error;
  }
}

async function messageFor(schema: JsonObject, answer: unknown): Promise<string> {
  const verdict = await validator.check(schema, JSON.stringify(answer));
  return verdict.ok ? "ok" : verdict.message.replace("agent output does not match schema: ", "");
}

describe("an answer that does not match", () => {
  const closed = { type: "object", properties: { p: {} }, additionalProperties: false };

  test.each<[JsonObject, unknown, string]>([
    [{ properties: { p: { type: "string" } } }, { p: 123 }, "$.p expected string"],
    [{ type: "object" }, [], "$ expected object"],
    [{ type: "object", required: ["x"] }, {}, '$ missing required property "x"'],
    [closed, { p: 1, q: 2 }, '$ has unexpected property "q"'],
    [{ enum: ["a", 1] }, "b", '$ must be one of ["a",1], got "b"'],
    [{ items: { type: "integer" } }, [1, 1.5], "$[1] expected integer"],
    [
      { properties: { l: { items: closed } } },
      { l: [{ z: 1 }] },
      '$.l[0] has unexpected property "z"',
    ],
    [{ properties: { "0": { type: "null" } } }, { "0": 1 }, "$.0 expected null"],
    [{ properties: { "a/b~": { type: "null" } } }, { "a/b~": 1 }, "$.a/b~ expected null"],
    [{ const: 1 }, 2, "$ must be equal to constant"],
    [{ pattern: "^a" }, "b", '$ must match pattern "^a"'],
    [{ minimum: 3 }, 2, "$ must be >= 3"],
    [{ maxLength: 1 }, "ab", "$ must NOT have more than 1 characters"],
    [
      { oneOf: [{ type: "number" }, { minimum: 1 }] },
      2,
      "$ must match exactly one schema in oneOf",
    ],
    [
      { anyOf: [{ type: "string" }, { properties: { a: { type: "number" } } }] },
      { a: "x" },
      "$ must match a schema in anyOf ($ expected string; $.a expected number)",
    ],
    [
      { items: { $ref: "#/$defs/word" }, $defs: { word: { type: "string" } } },
      ["a", 1],
      "$[1] expected string",
    ],
  ])("%j with %j: %s (weakness D14)", async (schema, answer, expected) => {
    expect(await messageFor(schema, answer)).toBe(expected);
  });

  test("type unions are enforced (weakness D14)", async () => {
    const union = { type: ["object", "null"], required: ["x"] };
    expect(await messageFor(union, {})).toBe('$ missing required property "x"');
    expect(await messageFor(union, 3)).toBe("$ expected object or null");
    expect(await messageFor(union, null)).toBe("ok");
    expect(await messageFor(union, { x: 1 })).toBe("ok");
  });

  test("is not JSON at all", async () => {
    const verdict = await validator.check({}, "prose");
    expect(verdict).toMatchObject({
      ok: false,
      message: expect.stringContaining("agent output does not match schema: output is not JSON: "),
    });
  });

  test("long values are cut in messages", async () => {
    const message = await messageFor({ enum: ["a"] }, "x".repeat(10_000));
    expect(message.length).toBeLessThan(500);
  });
});

describe("an answer that matches", () => {
  test("comes back as a value, scalars and null too", async () => {
    expect(await validator.check({}, "42")).toEqual({ ok: true, value: 42 });
    expect(await validator.check({ type: "null" }, " null ")).toEqual({ ok: true, value: null });
    expect(await validator.check({ type: "integer" }, "2.0")).toEqual({ ok: true, value: 2 });
  });

  test("unknown keywords and formats are no obstacle", async () => {
    expect(await messageFor({ format: "email", "x-note": 1 }, "x")).toBe("ok");
  });

  test("draft 7 is understood where it is named", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: [{ type: "string" }],
      additionalItems: false,
    };
    expect(await messageFor(schema, ["a"])).toBe("ok");
    expect(await messageFor(schema, ["a", "b"])).toBe("$ must NOT have more than 1 items");
  });
});

describe("a schema that is no good", () => {
  test.each<[JsonObject, string]>([
    [{ properties: { a: { type: "foo" } } }, "/properties/a/type must be equal to one of"],
    [{ required: "x" }, "/required must be array"],
    [
      { properties: { "a/b": { pattern: "(" } } },
      "/properties/a~1b/pattern is not a regular expression",
    ],
    [{ $ref: "https://example.com/schema" }, "can't resolve reference https://example.com/schema"],
    [{ $async: true, type: "string" }, "/$async is not supported"],
  ])("%j says where", async (schema, where) => {
    const expected = { code: "schema_invalid", message: expect.stringContaining(where) };
    expect(await failure(validator.check(schema, "1"))).toMatchObject(expected);
    expect(await failure(validator.compile(schema))).toMatchObject(expected);
  });

  test("a schema over 256 kB is refused", async () => {
    const schema = { description: "x".repeat(256 * 1024) };
    expect(await failure(validator.compile(schema))).toMatchObject({ code: "schema_too_large" });
  });

  test("ids of one schema are nothing to another", async () => {
    const id = "https://example.com/same";
    expect(await messageFor({ $id: id, type: "string" }, "a")).toBe("ok");
    expect(await messageFor({ $id: id, type: "number" }, 1)).toBe("ok");
    expect(await failure(validator.compile({ $ref: id }))).toMatchObject({
      code: "schema_invalid",
    });
  });
});

describe("the worker", () => {
  /** Takes minutes to compile. */
  const slow: JsonObject = {
    allOf: Array.from({ length: 5000 }, (_, index) => ({
      anyOf: [{ minimum: index }, { type: "string" }],
    })),
  };

  test("a schema that takes too long is ended, and what waits behind it is served", async () => {
    const own = createSchemaValidator(ENTRY, { deadlineMs: 1500 });
    const late = failure(own.compile(slow));
    const next = own.check({ type: "string" }, '"a"');
    expect(await late).toMatchObject({ code: "schema_timeout" });
    expect(await next).toEqual({ ok: true, value: "a" });
    own.close();
  });

  test("one that the machine gives no time is waited for ten times as long", async () => {
    const begun = performance.now();
    const own = createSchemaValidator(ENTRY, { deadlineMs: 50, spentMs: () => 0 });
    expect(await failure(own.compile(slow))).toMatchObject({ code: "schema_timeout" });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(500);
    own.close();
  });

  test("one that has had its processor time is ended, whatever the clock says", async () => {
    let looks = 0;
    const spentMs = () => 1000 * looks++;
    const own = createSchemaValidator(ENTRY, { deadlineMs: 1000, spentMs });
    expect(await failure(own.compile(slow))).toMatchObject({ code: "schema_timeout" });
    expect(looks).toBe(2);
    own.close();
  });

  test("closing fails what is waiting", async () => {
    const own = createSchemaValidator(ENTRY);
    const waiting = Promise.allSettled([own.compile({}), own.check({}, "1")]);
    own.close();
    const reason = expect.objectContaining({ code: "schema_worker_ended" });
    const ended = { status: "rejected" as const, reason };
    expect(await waiting).toEqual([ended, ended]);
  });

  test("a worker that cannot start is an error, not a wait", async () => {
    const own = createSchemaValidator(new URL("./no-such-worker.ts", import.meta.url));
    expect(await failure(own.compile({}))).toMatchObject({ code: "schema_worker_failed" });
    own.close();
  });

  test("many answers to one schema are judged in one worker", async () => {
    const schema = { type: "object", required: ["n"] };
    const answers = Array.from({ length: 200 }, (_, n) => validator.check(schema, `{"n":${n}}`));
    const verdicts = await Promise.all(answers);
    expect(verdicts.map((verdict) => verdict.ok && verdict.value)).toEqual(
      Array.from({ length: 200 }, (_, n) => ({ n })),
    );
  });
});

test.each<[JsonObject, unknown]>([
  [{ const: { pattern: "(" } }, { pattern: "(" }],
  [{ properties: { a: { default: { pattern: "(" } } } }, { a: 1 }],
  [{ examples: [{ pattern: "(" }] }, 1],
])("a key called pattern in plain data is data: %p", async (schema, answer) => {
  expect(await messageFor(schema, answer)).toBe("ok");
});
