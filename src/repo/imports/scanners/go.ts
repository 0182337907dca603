import { createLexer, type Lexed, quoted, SLASH_COMMENTS } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, eachWord, isCapitalised, literalAt, makeScan } from "./collect.ts";

const lex = createLexer({
  ...SLASH_COMMENTS,
  strings: [quoted('"'), quoted("`", { escapes: false, spansLines: true }), quoted("'")],
});

const PACKAGE = /^\s*package\s+(\w+)/m;
const IMPORT = /^import\s*(?:\(([^)]*)\)|([\w.]*)\s*"(\d+)")/gm;
const IN_BLOCK = /([\w.]+)?[ \t]*"(\d+)"/g;
const FUNCTION_OR_ONE = /^(?:func|type|var|const)[ \t]+(\w+)/gm;
const BLOCK = /^(?:type|var|const)[ \t]*\(([\s\S]*?)^\)/gm;
const BLOCK_NAME = /^(?:\t| {1,4})(\w+)/gm;

interface Import {
  readonly path: string;
  /** What the file calls the package, as far as its path tells. */
  readonly alias: string;
}

/** The usual name of the package at a path: `example.com/go-foo/v2` is `foo`. */
function aliasOf(path: string): string {
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const name = /^v\d+$/.test(last) && segments.length > 1 ? (segments.at(-2) ?? "") : last;
  return name.replace(/\.v\d+$/, "").replace(/^go-|[.-]go$/, "");
}

function importsOf(lexed: Lexed): readonly Import[] {
  const found: Import[] = [];
  const add = (alias: string | undefined, index: string | undefined) => {
    const path = literalAt(lexed, index);
    if (path) found.push({ path, alias: alias || aliasOf(path) });
  };
  for (const [, block, alias, index] of lexed.code.matchAll(IMPORT)) {
    if (block === undefined) add(alias, index);
    else for (const [, name, at] of block.matchAll(IN_BLOCK)) add(name, at);
  }
  return found;
}

function* declaredNames(code: string): Iterable<string> {
  for (const [, name] of code.matchAll(FUNCTION_OR_ONE)) yield name ?? "";
  for (const [, block] of code.matchAll(BLOCK)) {
    for (const [, name] of (block ?? "").matchAll(BLOCK_NAME)) yield name ?? "";
  }
}

interface Uses {
  /** Exported names by the word before their dot. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words without a dot before them that are called, composed, or exported names. */
  readonly own: ReadonlySet<string>;
}

function usesOf(code: string): Uses {
  const members = new Map<string, Set<string>>();
  const own = new Set<string>();
  let previous = { text: "", end: -1 };
  eachWord(code, (start, end) => {
    const capital = isCapitalised(code, start);
    const after = code.charAt(end);
    if (code.charAt(start - 1) === ".") {
      if (capital && previous.end === start - 1) {
        const known = members.get(previous.text);
        if (known === undefined) members.set(previous.text, new Set([code.slice(start, end)]));
        else known.add(code.slice(start, end));
      }
    } else if (after === "(" || after === "{" || (capital && after !== ":")) {
      own.add(code.slice(start, end));
    }
    previous = after === "." ? { text: code.slice(start, end), end } : { text: "", end: -1 };
  });
  return { members, own };
}

/** Imports with the names taken from each, and names that files of the same package may declare. */
export function scanGo(text: string): Scan {
  const lexed = lex(text);
  const { code } = lexed;
  const { members, own } = usesOf(code);
  const references = createReferences();
  for (const { path, alias } of importsOf(lexed)) {
    references.add(path, "import", [...(members.get(alias) ?? (alias === "." ? own : []))]);
  }
  const declared = new Set(declaredNames(code));
  const uses = [...own].filter((name) => !declared.has(name));
  return makeScan(references, [PACKAGE.exec(code)?.[1] ?? "", ...declared], uses);
}
