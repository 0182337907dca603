/** What stands for the answer of a call that nobody makes: the smallest thing that its schema allows. */
import { errorData } from "../../lib/errors.ts";
import { isRecord, type Json, type JsonObject } from "../../lib/json.ts";
import { exampleOf } from "../../lib/schema-example.ts";
import type { CallPlan } from "../calls/call.ts";
import type { SchemaValidator } from "../engine/schema-host.ts";

export interface StubAnswer {
  /** As a worker gives it. */
  readonly output: string;
  /** What is to be known of it. */
  readonly note?: string;
}

export interface StubOptions {
  readonly validator: SchemaValidator;
  /** Schema of what a command answers. */
  readonly answerSchema: (operation: string) => Promise<Json>;
  /** How many items lists have where their schema leaves it open. */
  readonly items: number;
}

/** Operations that stand behind calls of another name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  changedNow: "changed-now",
  preflight: "workflow.preflight",
};

/**
 * A gate approves and a check passes.
 * @param word what free text in it is.
 * @throws PalliumError `schema_invalid`, `schema_too_large` or `schema_timeout`, as the call would fail.
 */
export async function stubAnswer(
  options: StubOptions,
  { content, kind, gate, label }: CallPlan,
  word: string,
): Promise<StubAnswer> {
  const { primitive, schema, prompt } = content;
  if (gate !== undefined) return said({ approved: true, reason: word, evidence: [] });
  if (kind === "check") {
    return said({ ...passed(prompt, word), exit_code: 0, duration_ms: 0 });
  }
  if (kind === "repo") return said(await memoryAnswer(options, primitive, prompt, word));
  if (!isRecord(schema)) return { output: word };
  if (primitive === "check") {
    const output = JSON.stringify(passed(label, word));
    if ((await options.validator.check(schema as JsonObject, output)).ok) return { output };
  }
  return bySchema(options, schema as JsonObject, word);
}

function said(value: Json): StubAnswer {
  return { output: JSON.stringify(value) };
}

function passed(command: string, word: string): JsonObject {
  return { ok: true, command, summary: word, output_tail: "", failures: [] };
}

async function bySchema(
  { validator, items }: StubOptions,
  schema: JsonObject,
  word: string,
): Promise<StubAnswer> {
  await validator.compile(schema);
  const output = JSON.stringify(exampleOf(schema, { word, items }));
  const verdict = await validator.check(schema, output);
  if (verdict.ok) return { output };
  return { output, note: `no answer that matches the schema was found: ${verdict.message}` };
}

/** @param asked JSON of the arguments of `pallium.decisions`. */
async function memoryAnswer(
  { answerSchema, items }: StubOptions,
  primitive: string,
  asked: string,
  word: string,
): Promise<Json> {
  const name = primitive.slice("pallium.".length);
  if (name === "decisions.search") return [];
  if (name === "decisions.record") {
    const [title = "", body = "", ...tags] = JSON.parse(asked) as string[];
    return { id: word, run_id: word, title, body, tags, created_at: "1970-01-01T00:00:00.000Z" };
  }
  try {
    return exampleOf(await answerSchema(OPERATIONS[name] ?? name), { word, items });
  } catch (error) {
    throw new Error(`no schema of ${primitive}: ${errorData(error).message}`);
  }
}
