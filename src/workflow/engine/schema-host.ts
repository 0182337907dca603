/** Judges answers by the schemas of scripts, in a Worker that a hostile schema cannot outlive. */
import { messageOf, PalliumError } from "../../lib/errors.ts";
import type { Json, JsonObject } from "../../lib/json.ts";
import type { SchemaReply } from "./protocol.ts";
import { SchemaWorker } from "./schema-worker.ts";

/** Longest schema in UTF-8 bytes. */
const SCHEMA_LIMIT = 256 * 1024;
const DEADLINE_MS = 2000;

export type SchemaVerdict =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly message: string };

/**
 * Every method fails with `schema_too_large`, `schema_invalid` (naming where), or `schema_timeout`
 * when the worker did not answer in time.
 */
export interface SchemaValidator {
  /** Compiles a schema before anything is paid for an answer to it. */
  compile(schema: JsonObject): Promise<void>;
  /** Parses an answer and holds it against a schema; a message says where it does not match. */
  check(schema: JsonObject, text: string): Promise<SchemaVerdict>;
  /** Ends the worker; what is still waiting fails with `schema_worker_ended`. */
  close(): void;
}

export interface SchemaValidatorOptions {
  /** Milliseconds of processor time that one request may take once the worker is at it. */
  readonly deadlineMs?: number;
  /** Processor time of this process so far, in milliseconds. */
  readonly spentMs?: () => number;
}

/** @param entry the worker's program, as `app/assets` names it. Started with the first request. */
export function createSchemaValidator(
  entry: string | URL,
  { deadlineMs = DEADLINE_MS, spentMs }: SchemaValidatorOptions = {},
): SchemaValidator {
  const worker = new SchemaWorker(entry, deadlineMs, spentMs);
  return {
    compile: async (schema) => {
      const reply = await worker.ask({ schema: limitedText(schema) });
      assertValid(reply);
    },
    check: async (schema, text) => {
      const schemaText = limitedText(schema);
      const parsed = parseAnswer(text);
      if (typeof parsed === "string") return mismatch(`output is not JSON: ${parsed}`);
      const reply = await worker.ask({ schema: schemaText, answer: text });
      assertValid(reply);
      return reply.verdict === "ok" ? { ok: true, value: parsed.value } : mismatch(reply.message);
    },
    close: () => worker.close(),
  };
}

function mismatch(reason: string): SchemaVerdict {
  return { ok: false, message: `agent output does not match schema: ${reason}` };
}

function limitedText(schema: JsonObject): string {
  const text = JSON.stringify(schema);
  const bytes = Buffer.byteLength(text);
  if (bytes <= SCHEMA_LIMIT) return text;
  throw new PalliumError(
    "schema_too_large",
    `agent schema has ${bytes} bytes; at most ${SCHEMA_LIMIT} are allowed`,
    { hints: ["ask for less in one call, or for the parts in calls of their own"] },
  );
}

function parseAnswer(text: string): { readonly value: Json } | string {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return messageOf(error);
  }
}

function assertValid(reply: SchemaReply): void {
  if (reply.verdict !== "invalid_schema") return;
  throw new PalliumError("schema_invalid", `agent schema is invalid: ${reply.message}`, {
    hints: ["schemas are JSON Schema 2020-12; correct the place that the message names"],
  });
}
