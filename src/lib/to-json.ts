/**
 * Turns any value of a program into JSON data, or says where it is none. Unlike `JSON.stringify`
 * it never drops a part in silence, and it stays within a size and a depth whatever it is given:
 * getters, proxies and `toJSON` included.
 */
import type { Json } from "./json.ts";

/** Deepest nesting of arrays and objects. */
const DEPTH_LIMIT = 500;
const NOTE_LIMIT = 10;

export type JsonEncoding =
  | { readonly ok: true; readonly value: Json; readonly notes: readonly string[] }
  | { readonly ok: false; readonly code: "not_data" | "too_large"; readonly message: string };

export interface JsonEncodingOptions {
  /** What messages call the value; paths are appended to it: `$` gives `$.a[2]`. */
  readonly name: string;
  /** Most characters of the JSON text, checked roughly from below. */
  readonly limit: number;
}

/** Built-in objects whose content is no JSON. */
const NO_DATA: readonly (readonly [abstract new (...args: never[]) => object, string])[] = [
  [Promise, "a promise (await it first)"],
  [Map, "a Map (use Object.fromEntries or an array)"],
  [Set, "a Set (spread it into an array)"],
  [WeakMap, "a WeakMap"],
  [WeakSet, "a WeakSet"],
  [RegExp, "a regular expression"],
  [ArrayBuffer, "an ArrayBuffer"],
  [String, "a String object"],
  [Number, "a Number object"],
  [Boolean, "a Boolean object"],
];

class NoJson extends Error {
  readonly code: "not_data" | "too_large";

  constructor(code: "not_data" | "too_large", message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * `undefined` members and holes become `null`; NaN and infinities too, with a note; a Date becomes
 * its ISO text, an Error `{name, message, code?}`. Other objects become their own enumerable
 * properties. A function, symbol, bigint, promise, collection, buffer, or cycle is `not_data`.
 */
export function toJson(value: unknown, options: JsonEncodingOptions): JsonEncoding {
  const encoder = new Encoder(options.limit);
  try {
    return { ok: true, value: encoder.encode(value, options.name, 0), notes: encoder.notes() };
  } catch (error) {
    if (error instanceof NoJson) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

class Encoder {
  readonly #limit: number;
  readonly #open = new Set<object>();
  readonly #notes: string[] = [];
  #noteCount = 0;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  notes(): readonly string[] {
    const left = this.#noteCount - this.#notes.length;
    return left === 0 ? this.#notes : [...this.#notes, `and ${left} more like these`];
  }

  encode(value: unknown, path: string, depth: number): Json {
    switch (typeof value) {
      case "string":
        this.#grow(value.length + 2, path);
        return value;
      case "boolean":
      case "undefined":
        this.#grow(4, path);
        return value ?? null;
      case "number":
        this.#grow(1, path);
        return Number.isFinite(value) ? value : this.#lost(`${path} is ${value}`);
      case "object":
        return value === null ? null : this.#object(value, path, depth);
      default:
        throw new NoJson("not_data", `${path} is a ${typeof value}`);
    }
  }

  #object(value: object, path: string, depth: number): Json {
    if (this.#open.has(value)) throw new NoJson("not_data", `${path} contains itself`);
    if (depth === DEPTH_LIMIT) {
      throw new NoJson("not_data", `${path} is nested deeper than ${DEPTH_LIMIT} levels`);
    }
    this.#open.add(value);
    this.#grow(2, path);
    const json = readable(path, () => this.#members(value, path, depth + 1));
    this.#open.delete(value);
    return json;
  }

  #members(value: object, path: string, depth: number): Json {
    if (Array.isArray(value)) return this.#array(value, path, depth);
    if (value instanceof Date) return this.#date(value, path);
    if (value instanceof Error) return this.encode(errorFields(value), path, depth);
    const kind = ArrayBuffer.isView(value)
      ? "a typed array (use Array.from)"
      : NO_DATA.find(([type]) => value instanceof type)?.[1];
    if (kind !== undefined) throw new NoJson("not_data", `${path} is ${kind}`);
    return this.#record(value as Record<string, unknown>, path, depth);
  }

  #array(value: readonly unknown[], path: string, depth: number): Json {
    const length = value.length;
    this.#grow(length, path);
    const items: Json[] = [];
    for (let index = 0; index < length; index += 1) {
      items.push(this.encode(value[index], `${path}[${index}]`, depth));
    }
    return items;
  }

  #record(value: Record<string, unknown>, path: string, depth: number): Json {
    const record: Record<string, Json> = Object.create(null);
    for (const key of Object.keys(value)) {
      this.#grow(key.length + 4, path);
      record[key] = this.encode(value[key], memberPath(path, key), depth);
    }
    return record;
  }

  #date(value: Date, path: string): Json {
    if (Number.isNaN(value.getTime())) return this.#lost(`${path} is an invalid Date`);
    return this.encode(value.toISOString(), path, 0);
  }

  #lost(what: string): null {
    this.#noteCount += 1;
    if (this.#notes.length < NOTE_LIMIT - 1) this.#notes.push(`${what} and became null`);
    return null;
  }

  #grow(characters: number, path: string): void {
    this.#size += characters;
    if (this.#size <= this.#limit) return;
    throw new NoJson("too_large", `${path} is past the limit of ${this.#limit} characters of JSON`);
  }
}

/** Getters and proxies run code of the value's owner; what they throw is a fault of the value. */
function readable(path: string, read: () => Json): Json {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoJson) throw error;
    throw new NoJson("not_data", `${path} cannot be read: ${describe(error)}`);
  }
}

function describe(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "it threw what has no text";
  }
}

function errorFields(error: Error): Record<string, unknown> {
  const code: unknown = "code" in error ? error.code : undefined;
  const fields = { name: error.name, message: error.message };
  return code === undefined ? fields : { ...fields, code };
}

function memberPath(path: string, key: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}.${key}`;
  return `${path}[${JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key)}]`;
}
