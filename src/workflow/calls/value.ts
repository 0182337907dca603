/** What a recorded answer is to the script. */
import { type Json, parseJson } from "../../lib/json.ts";

/**
 * With a schema the answer is JSON and is parsed. Without one, text that is a JSON object or array
 * is parsed and anything else stays text: `42` is an answer, not a number.
 */
export function scriptValue(output: string, hasSchema: boolean): Json {
  if (!hasSchema && !/^\s*[[{]/.test(output)) return output;
  const value = parseJson(output);
  return value === undefined ? output : value;
}
