/** What a model is told about the schema its answer must match. */
import type { JsonObject } from "../lib/json.ts";
import { schemaText } from "./schema-normalise.ts";

/** The prompt of a second attempt: the first prompt, what was wrong with the answer, and the schema. */
export function correctedPrompt(prompt: string, schemaError: string, schema: JsonObject): string {
  return [
    prompt,
    `Your previous answer failed schema validation: ${schemaError}`,
    `Do the task again and correct that.\n${schemaInstruction(schema)}`,
  ].join("\n\n");
}

/** Asks for one bare JSON value that matches the schema. */
export function schemaInstruction(schema: JsonObject): string {
  const what = schema.type === undefined || schema.type === "object" ? "object" : "value";
  return [
    `Respond with ONLY a single JSON ${what} that matches the JSON Schema below:`,
    "no prose before or after it, no code fence.",
    "",
    schemaText(schema),
  ].join("\n");
}
