/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const source = value as JsonObject;
  const sorted: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(source).sort()) sorted[key] = sortKeys(source[key] as Json);
  return sorted;
}

/** Compact JSON with keys sorted at every depth: equal values have equal text, so it can be hashed. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sortKeys(value));
}

/** Two-space JSON with keys sorted at every depth, as run results are stored and shown. */
export function prettyJson(value: Json): string {
  return JSON.stringify(sortKeys(value), null, 2);
}

/** Parses JSON text; `undefined` where it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Takes a record of JSON values as JSON: interfaces lack the index signature that `Json` asks for. */
export function asJson(record: object): Json {
  return record as Json;
}
