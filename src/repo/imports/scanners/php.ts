import { createLexer, quoted, type Span } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, eachWord, isCapitalised, literalAt, makeScan } from "./collect.ts";

const lex = createLexer({
  lineComments: ["//"],
  blockComments: [{ open: "/*", close: "*/", nests: false }],
  strings: [
    quoted('"', { spansLines: true }),
    quoted("'", { spansLines: true }),
    quoted("`", { spansLines: true }),
  ],
  specialCharacters: "#<?",
  special: (text, at) => SPECIAL[text.charAt(at)]?.(text, at),
});

const SPECIAL: Readonly<Record<string, (text: string, at: number) => Span | undefined>> = {
  "#": hashComment,
  "<": heredoc,
  "?": markup,
};

/** `#` begins a comment, but `#[` an attribute. */
function hashComment(text: string, at: number): Span | undefined {
  if (text.charAt(at + 1) === "[") return undefined;
  const end = text.indexOf("\n", at);
  return { end: end < 0 ? text.length : end };
}

function heredoc(text: string, at: number): Span | undefined {
  const match = /^<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/.exec(text.slice(at, at + 120));
  if (match === null) return undefined;
  const close = new RegExp(`^[ \\t]*${match[2]}\\b`, "gm");
  close.lastIndex = at + match[0].length;
  return { end: close.test(text) ? close.lastIndex : text.length };
}

/** Markup from `?>` to where the next code begins. */
function markup(text: string, at: number): Span | undefined {
  if (text.charAt(at + 1) !== ">") return undefined;
  const end = text.indexOf("<?", at);
  return { end: end < 0 ? text.length : end + 2 };
}

const NAMESPACE = /\bnamespace\s+([\w\\]+)\s*[;{]/;
const USE = /(?:^|[;{}])\s*use\s+(?:function\s+|const\s+)?([\w\\]+(?:\s*\{[^}]*\})?[^;{(]*);/gm;
const TYPE = /\b(?:class|interface|trait|enum)\s+([A-Za-z_]\w*)/g;
const INCLUDE =
  /\b(?:require|include)(?:_once)?\b\s*\(?\s*(?:(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))\s*\.\s*)?"(\d+)"\s*\)?\s*;/g;

/** The names of a `use` statement, groups spread out, aliases dropped. */
function usedNames(clause: string): string[] {
  const group = /^([\w\\]+?)\\?\s*\{([^}]*)\}/.exec(clause.trim());
  const items = (group?.[2] ?? clause).split(",");
  return items
    .map(
      (item) =>
        item
          .trim()
          .replace(/^(?:function|const)\s+/, "")
          .split(/\s+as\s+/i)[0] ?? "",
    )
    .filter((name) => name !== "")
    .map((name) => (group === null ? name : `${group[1]}\\${name}`).replace(/^\\/, ""));
}

/** Capitalised words, each with the namespace it is written with. */
function classNames(code: string): Set<string> {
  const names = new Set<string>();
  let start = -1;
  let end = -1;
  const flush = () => {
    if (start >= 0) names.add(code.slice(start, end));
    start = -1;
  };
  eachWord(code, (from, to) => {
    const joined = start >= 0 && end === from - 1 && code.charAt(end) === "\\";
    if (!joined) flush();
    const before = code.charAt(from - 1);
    if (!joined && (!isCapitalised(code, from) || before === "$" || before === ">")) return;
    if (!joined) start = before === "\\" ? from - 1 : from;
    end = to;
  });
  flush();
  return names;
}

/** `use` and included files; `uses` holds class names, for those of the same namespace. */
export function scanPhp(text: string): Scan {
  const begin = text.indexOf("<?");
  const lexed = lex(begin < 0 ? "" : text.slice(begin + 2));
  const references = createReferences();
  for (const [, clause] of lexed.code.matchAll(USE)) {
    for (const name of usedNames(clause ?? "")) references.add(name, "import");
  }
  for (const [, index] of lexed.code.matchAll(INCLUDE)) {
    references.add(literalAt(lexed, index)?.replace(/^\//, ""), "include");
  }
  const namespace = NAMESPACE.exec(lexed.code)?.[1] ?? "";
  const declared = [...lexed.code.matchAll(TYPE)].map(([, name]) =>
    namespace === "" ? (name ?? "") : `${namespace}\\${name}`,
  );
  return makeScan(references, [namespace, ...declared], classNames(lexed.code));
}
