import { createLexer, quoted, type Span, type Special } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, literalAt, makeScan } from "./collect.ts";

const lex = createLexer({
  lineComments: ["#"],
  blockComments: [],
  strings: [
    quoted('"', { spansLines: true, hole: "#{" }),
    quoted("'", { spansLines: true }),
    quoted("`", { spansLines: true, hole: "#{" }),
  ],
  specialCharacters: "=/<%?_:$",
  special: (text, at, missing) => SPECIAL[text.charAt(at)]?.(text, at, missing),
});

const SPECIAL: Readonly<Record<string, Special>> = {
  "=": blockComment,
  "/": expression,
  "<": heredoc,
  "%": percent,
  "?": character,
  _: dataMarker,
  ":": symbol,
  $: globalName,
};

function startsLine(text: string, at: number): boolean {
  return at === 0 || text.charAt(at - 1) === "\n";
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function blockComment(text: string, at: number): Span | undefined {
  if (!startsLine(text, at) || !text.startsWith("=begin", at)) return undefined;
  const end = text.indexOf("\n=end", at);
  return { end: end < 0 ? text.length : end + 5 };
}

function dataMarker(text: string, at: number): Span | undefined {
  const marks = startsLine(text, at) && /^__END__\r?(?:\n|$)/.test(text.slice(at, at + 9));
  return marks ? { end: text.length } : undefined;
}

/** `?"` is one character. */
function character(text: string, at: number): Span | undefined {
  const quote = /["'`#/]/.test(text.charAt(at + 1));
  return quote && /[\s(,=[]/.test(text.charAt(at - 1)) ? { end: at + 2 } : undefined;
}

/** `:"name"` and `$"` hold quotes that open no string of interest. */
function symbol(text: string, at: number): Span | undefined {
  return text.charAt(at + 1) === "/" ? { end: at + 2 } : undefined;
}

function globalName(text: string, at: number): Span | undefined {
  return /["'`/]/.test(text.charAt(at + 1)) ? { end: at + 2 } : undefined;
}

/** Longer than any expression on one line. */
const EXPRESSION_LIMIT = 1000;

/** A regular expression, where no value stands before the slash. */
function expression(text: string, at: number): Span | undefined {
  const before = /([^\s])([ \t]*)$/.exec(text.slice(Math.max(0, at - 40), at));
  const last = before?.[1] ?? "(";
  const word = /[\w)\]}"'?!]/.test(last);
  const keyword = /(?:^|\W)(?:if|unless|when|and|or|not|return|while|until|in|then)[ \t]*$/;
  const argument = before?.[2] !== "" && /\S/.test(text.charAt(at + 1)) && /[\w?!]/.test(last);
  if (word && !argument && !keyword.test(text.slice(Math.max(0, at - 12), at))) return undefined;
  const limit = Math.min(text.length, at + EXPRESSION_LIMIT);
  for (let index = at + 1; index < limit; index += 1) {
    const found = text.charAt(index);
    if (found === "\n") return undefined;
    if (found === "\\") index += 1;
    else if (found === "/") return { end: index + 1 };
  }
  return undefined;
}

const HEREDOC = /<<([~-]?)(["'`]?)([A-Z_a-z]\w*)\2/y;

/** A heredoc, with the rest of the line that opens it and all that this line opens besides. */
function heredoc(text: string, at: number, missing: Set<string>): Span | undefined {
  const opener = new RegExp(HEREDOC.source, "y");
  opener.lastIndex = at;
  const match = opener.exec(text);
  if (match === null) return undefined;
  const [, dash, quote, name = ""] = match;
  if (dash === "" && quote === "" && !/^[A-Z_]+$/.test(name)) return undefined;
  const line = lineAfter(text, at);
  let end = line;
  for (const [, , , ending] of text.slice(at, line).matchAll(new RegExp(HEREDOC.source, "g"))) {
    const close = new RegExp(`^[ \\t]*${ending}\\r?$`, "gm");
    close.lastIndex = end;
    if (missing.has(`<<${ending}`)) continue;
    if (close.test(text)) end = lineAfter(text, close.lastIndex);
    else missing.add(`<<${ending}`);
  }
  return end === line ? undefined : { end: end - (text.charAt(end - 1) === "\n" ? 1 : 0) };
}

const BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** `%w[…]`, `%q(…)`, `%r{…}` and their like. */
function percent(text: string, at: number, missing: Set<string>): Span | undefined {
  const match = /^%[wWiIqQrxs]?([([{<|!/])/.exec(text.slice(at, at + 3));
  if (match === null || /[\w)\]]/.test(text.charAt(at - 1))) return undefined;
  const open = match[1] ?? "";
  if (missing.has(`%${open}`)) return undefined;
  const close = BRACKETS[open] ?? open;
  let depth = 1;
  for (let index = at + match[0].length; index < text.length; index += 1) {
    const found = text.charAt(index);
    if (found === "\\") index += 1;
    else if (found === close) depth -= 1;
    else if (found === open) depth += 1;
    if (depth === 0) return { end: index + 1 };
  }
  missing.add(`%${open}`);
  return undefined;
}

/** Group 1 takes the file in 2; 3 is the constant of an `autoload` and 4 its file. */
const REQUIRE =
  /\b(require|require_relative|require_dependency|load)\b[ \t(]*"(\d+)"|\bautoload\b[ \t(]*:\w+\s*,\s*"(\d+)"/g;
const RELATIVE_TO_FILE =
  /\brequire\b[ \t(]*File\s*\.\s*(?:expand_path|join)\s*\(?\s*(?:"(\d+)"\s*,\s*(?:__FILE__|__dir__)|(?:__dir__|File\s*\.\s*dirname\s*\(?\s*__FILE__\s*\)?)\s*,\s*"(\d+)")/g;
const CONSTANT = /(?:::)?\b[A-Z]\w*(?:::[A-Z]\w*)*/g;
const DECLARED = /^[ \t]*(module|class)[ \t]+((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)/gm;

/** The names that the file opens, outermost first, each with its namespace. */
function namespaces(code: string): string[] {
  const chain: string[] = [];
  for (const [, kind, name = ""] of code.matchAll(DECLARED)) {
    const outer = chain.at(-1);
    chain.push(
      outer === undefined || name.startsWith("::") ? name.replace(/^::/, "") : `${outer}::${name}`,
    );
    if (kind === "class") break;
  }
  return chain;
}

/** Files that are required, and constants that Rails or Zeitwerk would load. */
export function scanRuby(text: string): Scan {
  const lexed = lex(text);
  const references = createReferences();
  for (const [, how, file, autoloaded] of lexed.code.matchAll(REQUIRE)) {
    const specifier = literalAt(lexed, file ?? autoloaded);
    references.add(specifier, how === "require_relative" ? "include" : "import");
  }
  for (const [, fromFile, fromFolder] of lexed.code.matchAll(RELATIVE_TO_FILE)) {
    const path = literalAt(lexed, fromFile ?? fromFolder)?.replace(/^\//, "");
    references.add(fromFile === undefined ? path : path?.replace(/^\.\.\//, ""), "include");
  }
  return makeScan(references, namespaces(lexed.code), lexed.code.match(CONSTANT) ?? []);
}
