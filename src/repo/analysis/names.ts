/** How much the names of two files have in common. */
import { nameOf } from "../../lib/slash-path.ts";

/** Words that say of what kind a file is, not what it is about. */
const KINDS = new Set(["test", "tests", "spec", "specs", "it", "e2e", "unit", "integration"]);
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\p{ASCII}]+/gu;

/** The words of a file's name without its extensions, in lower case; those that say "test" left out. */
export function nameWords(path: string): readonly string[] {
  const name = nameOf(path);
  const dot = name.indexOf(".", 1);
  const words = (dot < 0 ? name : name.slice(0, dot)).match(WORD) ?? [];
  const lower = words.map((word) => word.toLowerCase());
  const telling = lower.filter((word) => !KINDS.has(word));
  return telling.length > 0 ? telling : lower;
}

/** The share of words that a name, by its words, and that of a file have in common, 0 to 1. */
export function sharedWords(one: readonly string[], path: string): number {
  const lower = nameOf(path).toLowerCase();
  if (!one.some((word) => lower.includes(word))) return 0;
  const other = nameWords(path);
  const words = new Set(one);
  const common = new Set(other.filter((word) => words.has(word))).size;
  return (2 * common) / (words.size + new Set(other).size);
}
