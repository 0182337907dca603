import { createLexer, quoted, SLASH_COMMENTS, type Span } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, literalAt, makeScan } from "./collect.ts";

const lex = createLexer({
  ...SLASH_COMMENTS,
  strings: [quoted('"'), quoted("'")],
  specialCharacters: "\"'",
  special: (text, at, missing) =>
    text.charAt(at) === "'" ? separator(text, at) : rawSpan(text, at, missing),
});

/** The quote in `1'000'000`. */
function separator(text: string, at: number): Span | undefined {
  const between =
    /[0-9a-fA-F]/.test(text.charAt(at - 1)) && /[0-9a-fA-F]/.test(text.charAt(at + 1));
  return between && text.charAt(at + 2) !== "'" ? { end: at + 1 } : undefined;
}

/** `R"x(…)x"` */
function rawSpan(text: string, at: number, missing: Set<string>): Span | undefined {
  if (text.charAt(at - 1) !== "R" || /\w/.test(text.slice(at - 2, at - 1).replace(/[uUL8]/, ""))) {
    return undefined;
  }
  const open = at + text.slice(at, at + 18).indexOf("(");
  if (open < at) return undefined;
  const close = `)${text.slice(at + 1, open)}"`;
  const end = missing.has(close) ? -1 : text.indexOf(close, open);
  if (end < 0) missing.add(close);
  return end < 0 ? undefined : { end: end + close.length, literal: [open + 1, end] };
}

const INCLUDE =
  /^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?:"(\d+)"|<([^>\n]{1,400})>)/gm;

/** `#include`: with quotes as `include`, with angle brackets as `import`. */
export function scanC(text: string): Scan {
  const lexed = lex(text);
  const references = createReferences();
  for (const [, quotedName, bracketed] of lexed.code.matchAll(INCLUDE)) {
    if (quotedName !== undefined) references.add(literalAt(lexed, quotedName), "include");
    else references.add(bracketed?.trim(), "import");
  }
  return makeScan(references);
}
