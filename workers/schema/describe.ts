/** Puts what ajv found wrong with a value into one sentence that names the place. */
import type { ErrorObject } from "ajv";

/** Most characters of a value or a list of values in a message. */
const VALUE_LIMIT = 300;
/** Alternatives of an `anyOf` or `oneOf` whose own reasons are given. */
const ALTERNATIVES = 3;

/** @param errors of one failed validation, in ajv's order: reasons of alternatives come before their union. */
export function describeMismatch(errors: readonly ErrorObject[], value: unknown): string {
  const last = errors.at(-1);
  if (last === undefined) return "$ does not match";
  const text = describe(last, value);
  if (last.keyword !== "anyOf" && last.keyword !== "oneOf") return text;
  const reasons = errors.slice(0, -1).slice(0, ALTERNATIVES);
  if (reasons.length === 0) return text;
  return `${text} (${reasons.map((error) => describe(error, value)).join("; ")})`;
}

function describe(error: ErrorObject, root: unknown): string {
  const path = readablePath(error.instancePath, root);
  const { params } = error;
  switch (error.keyword) {
    case "type":
      return `${path} expected ${[params.type].flat().join(" or ")}`;
    case "required":
      return `${path} missing required property ${quoted(params.missingProperty)}`;
    case "additionalProperties":
      return `${path} has unexpected property ${quoted(params.additionalProperty)}`;
    case "unevaluatedProperties":
      return `${path} has unexpected property ${quoted(params.unevaluatedProperty)}`;
    case "enum":
      return `${path} must be one of ${quoted(params.allowedValues)}, got ${quoted(error.data)}`;
    default:
      return `${path} ${error.message ?? `does not match ${error.keyword}`}`;
  }
}

/** `$.list[0].name` for the JSON pointer `/list/0/name` into a value. */
function readablePath(pointer: string, root: unknown): string {
  let path = "$";
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path += Array.isArray(value) ? `[${key}]` : `.${key}`;
    value = (value as Record<string, unknown> | undefined)?.[key];
  }
  return path;
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= VALUE_LIMIT ? text : `${text.slice(0, VALUE_LIMIT)}…`;
}
