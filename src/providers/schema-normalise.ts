/** Output schemas as they are hashed, shown to models, written to files and validated. */
import { PalliumError } from "../lib/errors.ts";
import { isRecord, type Json, type JsonObject } from "../lib/json.ts";

/** Keywords that hold one schema for a part of the value. */
const PART_SCHEMA = ["items", "contains", "additionalProperties", "propertyNames"];
/** Keywords that hold a list of schemas for parts of the value. */
const PART_LISTS = ["prefixItems", "items"];
/** Keywords that hold named schemas. */
const PART_MAPS = ["properties", "patternProperties", "$defs", "definitions"];
/** Keywords whose schemas judge the same value as the one around them. */
const SAME_VALUE_SCHEMA = ["not", "if", "then", "else"];
const SAME_VALUE_LISTS = ["allOf", "anyOf", "oneOf"];
const SAME_VALUE_MAPS = ["dependentSchemas"];

/** An object with one of these is open on purpose, or described in several places. */
const LEAVES_OPEN = [
  ...SAME_VALUE_SCHEMA,
  ...SAME_VALUE_LISTS,
  ...SAME_VALUE_MAPS,
  "$ref",
  "$dynamicRef",
  "unevaluatedProperties",
  "additionalProperties",
];

const DEPTH_LIMIT = 100;

/**
 * Closes every object of a schema that does not say otherwise: `additionalProperties: false` where
 * `type` is `object`, except where several schemas judge one value together and closing one of them
 * would forbid what another describes.
 * @throws PalliumError `schema_invalid` for a schema nested deeper than 100 levels.
 */
export function normaliseSchema(schema: JsonObject): JsonObject {
  return normalised(schema, { closed: true, shared: sharedReferences(schema) }, "#", 0);
}

/** Indented JSON of a schema, in the order its author wrote it. */
export function schemaText(schema: JsonObject): string {
  return JSON.stringify(schema, null, 2);
}

interface Rules {
  /** Whether an object here may be closed: nothing else judges the same value. */
  readonly closed: boolean;
  /** Local references used where another schema judges the same value. */
  readonly shared: ReadonlySet<string>;
}

function normalised(schema: JsonObject, rules: Rules, pointer: string, depth: number): JsonObject {
  assertDepth(depth);
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => [
    keyword,
    mapSchemas(keyword, value, (inner, path, sameValue) =>
      normalised(
        inner,
        {
          shared: rules.shared,
          closed: sameValue
            ? rules.closed && isPlainUnion(schema, keyword)
            : !rules.shared.has(`${pointer}/${path}`),
        },
        `${pointer}/${path}`,
        depth + 1,
      ),
    ),
  ]);
  const result = Object.fromEntries(entries);
  const isOpen = LEAVES_OPEN.some((keyword) => Object.hasOwn(schema, keyword));
  if (schema.type !== "object" || isOpen || !rules.closed) return result;
  return { ...result, additionalProperties: false };
}

/** Whether a schema only lists alternatives, so that each of them describes the whole value. */
function isPlainUnion(schema: JsonObject, keyword: string): boolean {
  if (keyword !== "anyOf" && keyword !== "oneOf") return false;
  const judging = [...LEAVES_OPEN, "properties", "patternProperties"];
  return judging.every((other) => other === keyword || !Object.hasOwn(schema, other));
}

/** Local references that share their value with another schema: their targets stay open. */
function sharedReferences(root: JsonObject): ReadonlySet<string> {
  const shared = new Set<string>();
  const visit = (schema: JsonObject, alone: boolean, depth: number): void => {
    assertDepth(depth);
    const withOthers = LEAVES_OPEN.concat("properties", "patternProperties").some(
      (keyword) => keyword !== "$ref" && Object.hasOwn(schema, keyword),
    );
    if (typeof schema.$ref === "string" && (!alone || withOthers)) shared.add(schema.$ref);
    for (const [keyword, value] of Object.entries(schema)) {
      mapSchemas(keyword, value, (inner, _path, sameValue) => {
        visit(inner, !sameValue || (alone && isPlainUnion(schema, keyword)), depth + 1);
        return inner;
      });
    }
  };
  visit(root, true, 0);
  return shared;
}

/**
 * Applies `change` to the schemas directly inside one keyword. `path` is where they are below the
 * schema; `sameValue` says that they judge the same value as it does.
 */
function mapSchemas(
  keyword: string,
  value: Json,
  change: (schema: JsonObject, path: string, sameValue: boolean) => JsonObject,
): Json {
  const sameValue = [...SAME_VALUE_SCHEMA, ...SAME_VALUE_LISTS, ...SAME_VALUE_MAPS].includes(
    keyword,
  );
  const one = (inner: Json, path: string): Json =>
    isRecord(inner) ? change(inner as JsonObject, path, sameValue) : inner;
  if (Array.isArray(value)) {
    if (!PART_LISTS.includes(keyword) && !SAME_VALUE_LISTS.includes(keyword)) return value;
    return value.map((inner, index) => one(inner, `${keyword}/${index}`));
  }
  if (!isRecord(value)) return value;
  if (PART_SCHEMA.includes(keyword) || SAME_VALUE_SCHEMA.includes(keyword)) {
    return one(value as JsonObject, keyword);
  }
  if (!PART_MAPS.includes(keyword) && !SAME_VALUE_MAPS.includes(keyword))
    return value as JsonObject;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, one(inner, `${keyword}/${escapePointer(name)}`)]),
  );
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function assertDepth(depth: number): void {
  if (depth <= DEPTH_LIMIT) return;
  throw new PalliumError("schema_invalid", `agent schema is nested deeper than ${DEPTH_LIMIT}`, {
    hints: ["describe the inner parts once, under $defs, and refer to them with $ref"],
  });
}
