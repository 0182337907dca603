/** A small value that a JSON Schema allows, as far as the schema shows without trying. Pure. */
import { isRecord, type Json, type JsonObject } from "./json.ts";

export interface ExampleOptions {
  /** What free text is. */
  readonly word: string;
  /** How many items lists have where the schema leaves it open. */
  readonly items: number;
}

interface Place extends ExampleOptions {
  /** What references begin at. */
  readonly root: Json;
  readonly depth: number;
}

/** Deeper than that only schemas go that refer to themselves. */
const DEEPEST = 24;
const EPOCH = "1970-01-01T00:00:00.000Z";

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": EPOCH,
  date: "1970-01-01",
  time: "00:00:00Z",
  duration: "PT0S",
  email: "a@example.com",
  hostname: "example.com",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uri: "https://example.com/",
  "uri-reference": "/",
  uuid: "00000000-0000-4000-8000-000000000000",
  regex: ".",
};

/**
 * Only required members are there, lists have `items` items, and choices take the first. Patterns,
 * `not`, `if` and the like are passed over, so whoever relies on the value holds it to the schema.
 */
export function exampleOf(schema: Json, options: ExampleOptions): Json {
  return exampleAt(schema, { ...options, root: schema, depth: 0 });
}

function exampleAt(schema: Json, outer: Place): Json {
  const place = { ...outer, depth: outer.depth + 1 };
  if (!isRecord(schema) || place.depth > DEEPEST) return null;
  const whole = flattened(schema as JsonObject, place);
  if (whole.const !== undefined) return whole.const;
  if (Array.isArray(whole.enum)) return (whole.enum[0] as Json | undefined) ?? null;
  switch (typeOf(whole)) {
    case "object":
      return objectOf(whole, place);
    case "array":
      return listOf(whole, place);
    case "string":
      return textOf(whole, place);
    case "integer":
    case "number":
      return numberOf(whole);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return place.word;
  }
}

/** The schema with what it refers to, all of `allOf`, and the first of each choice put into it. */
function flattened(schema: JsonObject, place: Place): JsonObject {
  let whole: JsonObject = schema;
  for (let step = 0; step < DEEPEST; step += 1) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = whole;
    const parts = [
      ...(typeof $ref === "string" ? [referred($ref, place.root)] : []),
      ...(Array.isArray(allOf) ? allOf : []),
      ...(Array.isArray(anyOf) ? anyOf.slice(0, 1) : []),
      ...(Array.isArray(oneOf) ? oneOf.slice(0, 1) : []),
    ].filter(isRecord) as JsonObject[];
    if (parts.length === 0) return rest;
    whole = parts.reduce(joined, rest);
  }
  return whole;
}

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...listAt(one, "required"), ...listAt(other, "required")];
  const properties = { ...recordAt(one, "properties"), ...recordAt(other, "properties") };
  return {
    ...other,
    ...one,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** What a reference inside of the schema means; nothing where it leads elsewhere. */
function referred(reference: string, root: Json): Json {
  if (!reference.startsWith("#")) return null;
  let at: Json = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(at)) return null;
    at = (at as JsonObject)[key] ?? null;
  }
  return at;
}

function typeOf(schema: JsonObject): Json | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((name) => name !== "null") ?? "null";
  if (type !== undefined) return type;
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  return schema.items !== undefined || schema.prefixItems !== undefined ? "array" : undefined;
}

function objectOf(schema: JsonObject, place: Place): Json {
  const properties = recordAt(schema, "properties");
  const required = listAt(schema, "required").filter((name) => typeof name === "string");
  const others = schema.additionalProperties ?? true;
  return Object.fromEntries(
    [...new Set(required)].map((name) => [name, exampleAt(properties[name] ?? others, place)]),
  );
}

function listOf(schema: JsonObject, place: Place): Json {
  const first = listAt(schema, "prefixItems");
  const least = numberAt(schema, "minItems") ?? 0;
  const most = numberAt(schema, "maxItems") ?? Number.POSITIVE_INFINITY;
  const { items = true } = schema;
  const wanted = items === false ? first.length : Math.max(place.items, first.length);
  // A list inside of itself would double with every step.
  const count = Math.min(Math.max(least, place.depth > DEEPEST / 2 ? 0 : wanted), most, 1000);
  return Array.from({ length: count }, (_, index) =>
    exampleAt(first[index] ?? items, { ...place, word: numbered(place.word, index) }),
  );
}

/** Items differ, for lists that must hold nothing twice. */
function numbered(word: string, index: number): string {
  return index === 0 ? word : `${word} ${index + 1}`;
}

function textOf(schema: JsonObject, { word }: Place): string {
  const { format } = schema;
  if (typeof format === "string" && FORMATS[format] !== undefined) return FORMATS[format];
  const least = Math.min(numberAt(schema, "minLength") ?? 0, 100_000);
  return word.padEnd(least, ".").slice(0, numberAt(schema, "maxLength"));
}

function numberOf(schema: JsonObject): number {
  const over = numberAt(schema, "exclusiveMinimum");
  const least = numberAt(schema, "minimum") ?? (over === undefined ? undefined : over + 1);
  const under = numberAt(schema, "exclusiveMaximum");
  const most = numberAt(schema, "maximum") ?? (under === undefined ? undefined : under - 1);
  const value = Math.min(Math.max(0, least ?? 0), most ?? Number.POSITIVE_INFINITY);
  const step = numberAt(schema, "multipleOf") ?? 1;
  return step > 0 ? Math.ceil(value / step) * step : value;
}

function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = schema[key];
  return typeof value === "number" ? value : undefined;
}

function listAt(schema: JsonObject, key: string): readonly Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

function recordAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isRecord(value) ? (value as JsonObject) : {};
}
