import { type Json, parseJson } from "../../lib/json.ts";

/** Whether a result says nothing: blank, or JSON whose every leaf is `null` or empty. */
export function isEmptyResult(result: string): boolean {
  if (result.trim() === "") return true;
  const value = parseJson(result);
  return value !== undefined && isEmptyValue(value);
}

function isEmptyValue(value: Json): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmptyValue);
}
