/**
 * SES refuses a program by its text: `import(`, `eval(`, and the two HTML comment marks, also where
 * a string or a comment merely mentions them. Here such text is written in another way that means
 * the same.
 */
import type { AnyNode, Program } from "acorn";
import type { Edit } from "./edits.ts";
import { faultAt } from "./fault.ts";
import { walk } from "./walk.ts";

/** What SES looks for, as it looks for it, but also where matches overlap. */
const REFUSED = [
  /(?<=^|[^.\w]|\.\.\.)import(?=\s*(?:\(|\/[/*]))/g,
  /(?<=^|[^.\w])eval(?=\s*\()/g,
  /<!--/g,
  /-->/g,
];

interface Match {
  readonly offset: number;
  readonly text: string;
}

/** What a match stands in; `gap` is a comment or operators, where a space more means nothing. */
type Place = "text" | "tagged" | "regex" | "name" | "gap";

function findRefused(text: string): Match[] {
  return REFUSED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({ offset: match.index, text: match[0] })),
  ).sort((a, b) => a.offset - b.offset);
}

/** Index of the first match that begins at `offset` or behind it. */
function firstFrom(matches: readonly Match[], offset: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.offset ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeOf(node: AnyNode, taggedText: ReadonlySet<AnyNode>): Place | undefined {
  switch (node.type) {
    case "TemplateElement":
      return taggedText.has(node) ? "tagged" : "text";
    case "Literal":
      return node.regex === undefined ? "text" : "regex";
    case "Identifier":
    case "PrivateIdentifier":
      return "name";
    default:
      return undefined;
  }
}

/** The place of each match, by its offset; one that is not there stands in a gap. */
function findPlaces(matches: readonly Match[], program: Program): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  const taggedText = new Set<AnyNode>();
  walk(program, (node) => {
    if (node.type === "TaggedTemplateExpression") {
      for (const piece of node.quasi.quasis) taggedText.add(piece);
    }
    const place = placeOf(node, taggedText);
    if (place === undefined) return;
    for (let index = firstFrom(matches, node.start); ; index++) {
      const match = matches[index];
      if (match === undefined || match.offset >= node.end) return;
      places.set(match.offset, place);
    }
  });
  return places;
}

/** Writes one character as an escape that `prefix` and two hexadecimal digits make. */
function escapeAt(text: string, offset: number, prefix: string): Edit {
  const digits = text.charCodeAt(offset).toString(16);
  return { offset, removed: 1, inserted: prefix + digits };
}

/** Writes one character as `\xHH`, using up a backslash that already escapes it. */
function hexEscape(text: string, offset: number): Edit {
  let backslashes = 0;
  while (text[offset - 1 - backslashes] === "\\") backslashes++;
  return escapeAt(text, offset, backslashes % 2 === 1 ? "x" : "\\x");
}

/** The angle of an HTML comment mark, the first letter of a word. */
function tellingOffset({ offset, text }: Match): number {
  return text === "-->" ? offset + 2 : offset;
}

function rewrite(text: string, match: Match, place: Place): Edit {
  const offset = tellingOffset(match);
  switch (place) {
    case "text":
      return hexEscape(text, offset);
    case "regex":
      // `<` may belong to a lookbehind `(?<!`; the second dash is never syntax after `<!-`.
      return hexEscape(text, match.text === "<!--" ? match.offset + 3 : offset);
    case "name":
      return escapeAt(text, offset, "\\u00");
    case "gap":
      return { offset: match.offset + 2, removed: 0, inserted: " " };
    case "tagged":
      throw faultAt(
        text,
        match.offset,
        "script_text",
        `The text ${match.text} cannot stand in a tagged template`,
        "use a plain string or an untagged template there",
      );
  }
}

/**
 * The edits that rewrite what SES refuses so that the script computes the same; no line break is
 * added or removed, but columns behind a rewrite on the same line move by up to five.
 * @param text a script that has no dynamic import and no direct eval.
 * @param program its tree.
 * @throws ScriptFault `script_text` for a mention in a tagged template.
 */
export function rewritesOfRefused(text: string, program: Program): readonly Edit[] {
  const matches = findRefused(text);
  if (matches.length === 0) return [];
  const places = findPlaces(matches, program);
  return matches.map((match) => rewrite(text, match, places.get(match.offset) ?? "gap"));
}
