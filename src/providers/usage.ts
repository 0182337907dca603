/** Tokens and cost as workers report them. */
import { canonicalJson, isRecord, type Json, parseJson } from "../lib/json.ts";
import { MICROS_PER_DOLLAR, withoutNoise } from "../lib/money.ts";
import { readHead } from "../platform/bounded-read.ts";
import type { Usage } from "./contract.ts";

/** Longest usage report in bytes. */
const REPORT_LIMIT = 64 * 1024;
/** Longest name of a conversation, in characters. */
const SESSION_LIMIT = 1000;

/** What a report said, and what in it was no good. */
export interface UsageReport {
  readonly usage?: Usage;
  /** The worker's own name of its conversation. */
  readonly session?: string;
  readonly notes: readonly string[];
}

/** Reads the usage file a worker may have written; an unreadable one is noted, never an error. */
export async function readUsageFile(path: string, who: string): Promise<UsageReport> {
  const file = await readHead(path, REPORT_LIMIT);
  if (file === undefined || file.text.trim() === "") return { notes: [] };
  if (file.omittedBytes > 0) {
    return { notes: [`${who} left a usage file over ${REPORT_LIMIT} bytes; ignored`] };
  }
  return parseUsage(file.text.trim(), who);
}

/**
 * Reads a report of `input_tokens`, `cached_input_tokens`, `output_tokens`, `cost_usd`,
 * `retry_after_seconds` and `session`, all optional.
 */
export function parseUsage(raw: string, who: string): UsageReport {
  const report = parseJson(raw);
  if (!isRecord(report)) {
    return { notes: [`${who} left a usage report that is not a JSON object; ignored`] };
  }
  const notes: string[] = [];
  const read = (name: string, scale: number): number | undefined => {
    const value = report[name];
    if (value === undefined || value === null) return undefined;
    const amount = typeof value === "number" ? Math.round(value * scale) : Number.NaN;
    if (Number.isSafeInteger(amount) && amount >= 0) return amount;
    notes.push(`${who} reported an invalid ${name}; ignored`);
    return undefined;
  };
  const inputTokens = read("input_tokens", 1);
  const cachedInputTokens = read("cached_input_tokens", 1);
  const outputTokens = read("output_tokens", 1);
  const costMicros = read("cost_usd", MICROS_PER_DOLLAR);
  const retryAfterMs = read("retry_after_seconds", 1000);
  const session = readSession(report.session);
  if (session === undefined) notes.push(`${who} reported an invalid session; ignored`);
  return {
    ...(session ? { session } : {}),
    usage: {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(costMicros === undefined ? {} : { costMicros }),
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: retryAfterMs / 1000 }),
      raw,
    },
    notes,
  };
}

/** Empty where none is reported, `undefined` where it is no good. */
function readSession(session: unknown): string | undefined {
  if (session === undefined || session === null) return "";
  const isName = typeof session === "string" && session.length <= SESSION_LIMIT;
  return isName ? session : undefined;
}

/** The usage of two attempts at one call: amounts summed, the wait of the later one, `raw` encoded anew with sorted keys. */
export function mergeUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const raw = canonicalJson(mergeReports(parseJson(first.raw), parseJson(second.raw)));
  return {
    ...summed("inputTokens", first, second),
    ...summed("cachedInputTokens", first, second),
    ...summed("outputTokens", first, second),
    ...summed("costMicros", first, second),
    ...(second.retryAfterSeconds === undefined
      ? {}
      : { retryAfterSeconds: second.retryAfterSeconds }),
    raw,
  };
}

type Amount = Exclude<keyof Usage, "raw" | "retryAfterSeconds">;

function summed(field: Amount, first: Usage, second: Usage): Partial<Record<Amount, number>> {
  if (first[field] === undefined && second[field] === undefined) return {};
  return { [field]: (first[field] ?? 0) + (second[field] ?? 0) };
}

function mergeReports(first: Json | undefined, second: Json | undefined): Json {
  if (!isRecord(first)) return second ?? null;
  if (!isRecord(second)) return (first as Json) ?? null;
  const merged = new Map(Object.entries(first as Record<string, Json>));
  for (const [name, value] of Object.entries(second as Record<string, Json>)) {
    const before = merged.get(name);
    const both = typeof before === "number" && typeof value === "number";
    merged.set(name, both ? withoutNoise(before + value) : value);
  }
  return Object.fromEntries(merged);
}
