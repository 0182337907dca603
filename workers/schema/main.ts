/** Worker that compiles and applies the JSON Schemas of scripts, where a hostile one can be ended. */
import { messageOf } from "../../src/lib/errors.ts";
import type { SchemaReply, SchemaRequest } from "../../src/workflow/engine/protocol.ts";
import { type CompiledSchema, compileSchema } from "./compile.ts";
import { describeMismatch } from "./describe.ts";

/** Compiled schemas kept, the latest ones. */
const CACHE_SIZE = 100;

declare const self: Worker;

const compiled = createCache();
self.onmessage = ({ data }: MessageEvent<string>) => {
  self.postMessage(JSON.stringify(reply(JSON.parse(data) as SchemaRequest)));
};
// The first schema of a process costs many times the second: not on the first request's deadline.
compiled('{"type":"object"}');
self.postMessage("ready");

function reply({ id, schema, answer }: SchemaRequest): SchemaReply {
  try {
    const { validate } = compiled(schema);
    if (answer === undefined) return { id, verdict: "ok", message: "" };
    const value: unknown = JSON.parse(answer);
    if (validate(value)) return { id, verdict: "ok", message: "" };
    return { id, verdict: "mismatch", message: describeMismatch(validate.errors ?? [], value) };
  } catch (error) {
    return { id, verdict: "invalid_schema", message: messageOf(error) };
  }
}

function createCache(): (schema: string) => CompiledSchema {
  const entries = new Map<string, CompiledSchema>();
  return (schema) => {
    const entry = entries.get(schema) ?? compileSchema(schema);
    entries.delete(schema);
    entries.set(schema, entry);
    const oldest = entries.keys().next().value;
    if (entries.size > CACHE_SIZE && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
}
