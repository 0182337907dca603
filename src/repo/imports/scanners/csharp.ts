import { createLexer, quoted, SLASH_COMMENTS, type Span } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { capitalisedWords, createReferences, makeScan } from "./collect.ts";

const lex = createLexer({
  ...SLASH_COMMENTS,
  strings: [quoted('"'), quoted("'")],
  specialCharacters: '"',
  special: stringSpan,
});

/** Raw (`"""`) and verbatim (`@"`, where `""` is a quote) strings. */
function stringSpan(text: string, at: number): Span | undefined {
  if (text.startsWith('"""', at)) return rawSpan(text, at);
  const before = text.slice(Math.max(0, at - 2), at);
  if (!before.endsWith("@") && before !== "@$") return undefined;
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.charAt(end + 1) === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return { end: text.length };
  return { end: end + 1, literal: [at + 1, end] };
}

function rawSpan(text: string, at: number): Span {
  let start = at;
  while (text.charAt(start) === '"') start += 1;
  const end = text.indexOf(text.slice(at, start), start);
  if (end < 0) return { end: text.length };
  return { end: end + start - at, literal: [start, end] };
}

const USING =
  /^\s*(global\s+)?using\s+(?:static\s+)?(?:unsafe\s+)?(?:\w+\s*=\s*)?(?:global\s*::\s*)?([A-Za-z_][\w.]*)\s*(?:<[^;]*)?;/gm;
/** Group 1 is a namespace, 2 a type. */
const DECLARATION =
  /\bnamespace\s+([A-Za-z_][\w.]*)|\b(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?|delegate\s+[\w<>[\],.? ]{1,200}?)\s+([A-Za-z_]\w*)\s*(?=[{<(:;\s])/g;

/** `using` as imports (`global` among the names of one that is), types with their namespace. */
export function scanCsharp(text: string): Scan {
  const { code } = lex(text);
  const references = createReferences();
  for (const [, global, name] of code.matchAll(USING)) {
    references.add(name, "import", global === undefined ? [] : ["global"]);
  }
  const declared = new Set<string>();
  const types = new Set<string>();
  let namespace = "";
  for (const [, name, type] of code.matchAll(DECLARATION)) {
    if (name !== undefined) namespace = name;
    else if (type !== undefined && type !== "where") {
      types.add(type);
      declared.add(namespace === "" ? type : `${namespace}.${type}`);
    }
  }
  const uses = [...capitalisedWords(code)].filter((name) => !types.has(name));
  return makeScan(references, declared, uses);
}
