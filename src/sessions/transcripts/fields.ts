/** Fields of records that somebody else wrote: of the type asked for, or as if they were not there. */
import { isRecord } from "../../lib/json.ts";

/** The first of the values that is a text with more than blanks in it; empty where none is. */
export function textOf(...values: readonly unknown[]): string {
  for (const value of values) if (typeof value === "string" && value.trim() !== "") return value;
  return "";
}

/** Empty where the value is no object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The objects of a list; an object alone counts as a list of one. */
export function recordsOf(value: unknown): readonly Record<string, unknown>[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A count of something, whole; 0 where the value is no such number. */
export function countOf(value: unknown): number {
  const count = typeof value === "number" ? Math.trunc(value) : 0;
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** What a command ended with; `undefined` where the value cannot be that. */
export function exitCodeOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Math.abs(Number(value)) <= MOST_EXIT_CODE
    ? Number(value)
    : undefined;
}

/** Of Windows: 32 bits without a sign. */
const MOST_EXIT_CODE = 0xffff_ffff;

/** Adds to the count of a name, which somebody else gave. */
export function addCount(counts: Record<string, number>, name: string, count = 1): void {
  const before = Object.hasOwn(counts, name) ? counts[name] : undefined;
  counts[name] = (before ?? 0) + count;
}

const MILLISECONDS_FROM = 1e11;

/** A moment, as text or as seconds or milliseconds since 1970, as UTC with milliseconds; else empty. */
export function momentOf(value: unknown): string {
  const number = typeof value === "string" && /^\d{9,}$/.test(value.trim()) ? Number(value) : value;
  const date =
    typeof number === "number"
      ? new Date(number < MILLISECONDS_FROM ? number * 1000 : number)
      : new Date(typeof value === "string" ? value : Number.NaN);
  const moment = Number.isNaN(date.getTime()) ? "" : date.toISOString();
  // Of other years than four digits have it does not sort with the rest.
  return /^\d/.test(moment) ? moment : "";
}

/** The texts of content as the agents' APIs have it: a text, or items that hold one. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .map((item) => textOf(item.text, item.input_text, item.output_text, item.content))
    .filter((text) => text !== "")
    .join("\n");
}
