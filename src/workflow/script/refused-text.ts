/**
 * SES refuses a program by its text: `import(`, `eval(`, and the two HTML comment marks, also where
 * a string or a comment merely mentions them. Here such text is written in another way that means
 * the same.
 */
import { parse, tokTypes } from "acorn";
import { faultAt } from "./fault.ts";
import { PARSE_OPTIONS } from "./parse.ts";

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

type SpanKind = "comment" | "text" | "tagged" | "regex" | "name" | "operator";

interface Span {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
}

interface Edit {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

function findRefused(text: string): Match[] {
  return REFUSED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({ offset: match.index, text: match[0] })),
  ).sort((a, b) => a.offset - b.offset);
}

/** Whether SES would refuse this text. */
export function mentionsRefusedText(text: string): boolean {
  return REFUSED.some((pattern) => text.search(pattern) >= 0);
}

function readSpans(text: string, taggedText: ReadonlySet<number>): Span[] {
  const spans: Span[] = [];
  parse(text, {
    ...PARSE_OPTIONS,
    onComment: (_block, _text, start, end) => spans.push({ kind: "comment", start, end }),
    onToken: ({ type, start, end }) => {
      if (start === end) return;
      spans.push({ kind: kindOf(type, taggedText.has(start)), start, end });
    },
  });
  return spans;
}

function kindOf(type: { readonly keyword?: string | undefined }, tagged: boolean): SpanKind {
  switch (type) {
    case tokTypes.string:
      return "text";
    case tokTypes.template:
    case tokTypes.invalidTemplate:
      return tagged ? "tagged" : "text";
    case tokTypes.regexp:
      return "regex";
    case tokTypes.name:
    case tokTypes.privateId:
      return "name";
    default:
      return type.keyword === undefined ? "operator" : "name";
  }
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

function commentEdit(text: string, offset: number): Edit {
  const character = text.charAt(offset);
  const upper = character.toUpperCase();
  return { offset, removed: 1, inserted: upper === character ? " " : upper };
}

function rewrite(text: string, match: Match, span: Span): Edit {
  const offset = tellingOffset(match);
  switch (span.kind) {
    case "comment":
      return commentEdit(text, offset);
    case "text":
      return hexEscape(text, offset);
    case "regex":
      // `<` may belong to a lookbehind `(?<!`; the second dash is never syntax after `<!-`.
      return hexEscape(text, match.text === "<!--" ? match.offset + 3 : offset);
    case "name":
      return escapeAt(text, offset, "\\u00");
    case "operator":
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

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let end = 0;
  for (const { offset, removed, inserted } of edits) {
    result += text.slice(end, offset) + inserted;
    end = offset + removed;
  }
  return result + text.slice(end);
}

/**
 * Rewrites what SES refuses so that the script computes the same; no line break is added or
 * removed, but columns behind a rewrite on the same line move by up to five.
 * @param text a script that parses and has no dynamic import and no direct eval.
 * @param taggedText offsets at which text pieces of tagged templates begin.
 * @throws ScriptFault `script_text` for a mention in a tagged template.
 */
export function rewriteRefusedText(text: string, taggedText: ReadonlySet<number>): string {
  const matches = findRefused(text);
  if (matches.length === 0) return text;
  const spans = readSpans(text, taggedText);
  let index = 0;
  const edits = matches.map((match) => {
    while ((spans[index]?.end ?? Number.POSITIVE_INFINITY) <= match.offset) index++;
    const span = spans[index];
    if (span === undefined || span.start > match.offset) {
      throw new Error(`no token at offset ${match.offset} of the script`);
    }
    return rewrite(text, match, span);
  });
  return applyEdits(
    text,
    edits.sort((a, b) => a.offset - b.offset),
  );
}
