/**
 * What tells a message, or an answer of a model, from any other, and is equal in every transcript that
 * holds a copy of it. Those of one conversation begin alike: so they lie side by side in an index, of
 * which otherwise almost every page would be written with every transaction.
 */
import { quickHash } from "../../platform/hash.ts";

const BEGINNING = 5;
const MINUTE_MS = 60_000;

/**
 * Of what has a name of its own.
 * @param timestamp when it was said, which copies keep; empty where nothing says so.
 */
export function uidAt(timestamp: string, name: string): string {
  const minute = timestamp === "" ? 0 : Math.trunc(Date.parse(timestamp) / MINUTE_MS);
  return minute.toString(36).padStart(BEGINNING, "0") + quickHash(name);
}

/** Of the beginning of a chain, in which each is told by all that came before it. */
export function firstUid(name: string): string {
  const hash = quickHash(name);
  return hash.slice(0, BEGINNING) + hash;
}

/** Of what comes next in a chain. */
export function nextUid(before: string, content: string): string {
  return before.slice(0, BEGINNING) + quickHash(`${before}\n${content}`);
}
