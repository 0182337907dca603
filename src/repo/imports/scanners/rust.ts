import { createLexer, quoted, type Span } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, literalAt, makeScan, type References } from "./collect.ts";

const CHARACTER = /^'(?:\\(?:u\{[^}]{1,8}\}|x..|.)|[^\\'\n]{1,2})'/;

const lex = createLexer({
  lineComments: ["//"],
  blockComments: [{ open: "/*", close: "*/", nests: true }],
  strings: [quoted('"', { spansLines: true })],
  specialCharacters: "\"'",
  special: (text, at) => (text.charAt(at) === "'" ? characterSpan(text, at) : rawSpan(text, at)),
});

/** A character, or the quote of a lifetime. */
function characterSpan(text: string, at: number): Span {
  const found = CHARACTER.exec(text.slice(at, at + 16));
  return { end: at + (found?.[0].length ?? 1) };
}

/** A raw string: `r"…"`, `br#"…"#`; its letters and hashes before the quote are code already. */
function rawSpan(text: string, at: number): Span | undefined {
  let before = at - 1;
  while (text.charAt(before) === "#") before -= 1;
  if (text.charAt(before) !== "r" || /[\w]{2}/.test(text.slice(before - 2, before))) {
    return undefined;
  }
  const close = `"${"#".repeat(at - 1 - before)}`;
  const end = text.indexOf(close, at + 1);
  if (end < 0) return { end: text.length };
  return { end: end + close.length, literal: [at + 1, end] };
}

/** Braces, modules (1, with 2 the path of its attribute, and 3 what follows), `use` trees (4), paths (5). */
const TOKENS =
  /[{}]|(?:#\s*\[\s*path\s*=\s*"(\d+)"\s*\]\s*(?:#\s*\[[^\]]*\]\s*)*(?:pub\s*(?:\([^)]*\))?\s*)?)?\bmod\s+(\w+)\s*([;{])|\buse\s+([^;]{1,20000});|\bextern\s+crate\s+(\w+)|((?:::)?\b[a-z_]\w*(?:\s*::\s*\w+)+)/g;
const TREE_LIMIT = 300;

/** The paths of a `use` tree: `a::{b, c::d as e}` is `a::b` and `a::c::d`. */
function expandTree(tree: string): string[] {
  const paths: string[] = [];
  const prefixes: string[] = [];
  let prefix = "";
  let word = "";
  const finish = () => {
    const name = word.replace(/\s+as\s+\w+\s*$/, "").replace(/\s/g, "");
    word = "";
    if (name !== "" && paths.length < TREE_LIMIT) paths.push(prefix + name);
  };
  for (const character of tree) {
    if (character === "{") {
      prefixes.push(prefix);
      prefix += word.replace(/\s/g, "");
      word = "";
    } else if (character === "}") {
      finish();
      prefix = prefixes.pop() ?? "";
    } else if (character === ",") finish();
    else word += character;
  }
  finish();
  return paths;
}

/** A path as seen from the file's own module, when it stands in the inline modules named. */
function fromFile(path: string, inline: readonly string[]): string {
  const segments = path.replace(/\s/g, "").replace(/^::/, "").split("::");
  if (inline.length === 0 || (segments[0] !== "super" && segments[0] !== "self")) {
    return segments.join("::");
  }
  const supers = segments.findIndex((segment) => segment !== "super" && segment !== "self");
  const ups = segments.slice(0, supers < 0 ? segments.length : supers);
  const up = ups.filter((segment) => segment === "super").length;
  const rest = supers < 0 ? [] : segments.slice(supers);
  if (up > inline.length) return [...Array(up - inline.length).fill("super"), ...rest].join("::");
  return ["self", ...inline.slice(0, inline.length - up), ...rest].join("::");
}

/** Walks modules that are written in the file, so that `super` is understood in each. */
function createNesting() {
  const names: string[] = [];
  const depths: number[] = [];
  let depth = 0;
  return {
    names,
    open() {
      depth += 1;
    },
    openModule(name: string) {
      names.push(name);
      depths.push(depth);
      depth += 1;
    },
    close() {
      depth -= 1;
      if (depths.at(-1) !== depth) return;
      depths.pop();
      names.pop();
    },
  };
}

function addUse(references: References, tree: string, inline: readonly string[]): void {
  for (const path of expandTree(tree)) references.add(fromFile(path, inline), "import");
}

/** `mod x;` as `module` (its path in `names` where one is given), and every path that is used. */
export function scanRust(text: string): Scan {
  const lexed = lex(text);
  const references = createReferences();
  const nesting = createNesting();
  for (const match of lexed.code.matchAll(TOKENS)) {
    const [whole, path, module, follows, tree, crate, used] = match;
    if (whole === "{") nesting.open();
    else if (whole === "}") nesting.close();
    else if (module !== undefined && follows === "{") nesting.openModule(module);
    else if (module !== undefined) {
      const file = literalAt(lexed, path);
      const specifier = [...nesting.names, module].join("::");
      references.add(specifier, "module", file === undefined ? [] : [file]);
    } else if (tree !== undefined) addUse(references, tree, nesting.names);
    else if (crate !== undefined) references.add(crate, "import");
    else if (used !== undefined) references.add(fromFile(used, nesting.names), "import");
  }
  return makeScan(references);
}
