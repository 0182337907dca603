/** Java and Kotlin: packages, imports, and types of the same package. */
import { createLexer, quoted, SLASH_COMMENTS } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { capitalisedWords, createReferences, makeScan } from "./collect.ts";

const lexJava = createLexer({
  ...SLASH_COMMENTS,
  strings: [quoted('"""', { spansLines: true }), quoted('"'), quoted("'")],
});

const lexKotlin = createLexer({
  lineComments: ["//"],
  blockComments: [{ open: "/*", close: "*/", nests: true }],
  strings: [
    quoted('"""', { escapes: false, spansLines: true, hole: "${" }),
    quoted('"', { hole: "${" }),
    quoted("'"),
  ],
});

const PACKAGE = /^\s*package\s+([\w.`]+)/m;
const IMPORT = /^\s*import\s+(?:static\s+)?([\w`]+(?:\s*\.\s*[\w`*]+)*)/gm;
const JAVA_TYPE =
  /^[ \t]{0,4}(?:[\w@-]+\s+){0,8}?(?:class|interface|enum|record|@interface)\s+(\w+)/gm;
const KOTLIN_NAME =
  /^(?:@[\w.:]+(?:\([^)\n]*\))?\s+)*(?:[a-z]+\s+){0,6}?(?:class|interface|object|typealias|fun|val|var)\s+(?:<[^>\n]*>\s*)?(?:[\w.<>?, *]+\.)?`?(\w+)/gm;

function scanWith(code: string, declaration: RegExp): Scan {
  const references = createReferences();
  for (const [, name] of code.matchAll(IMPORT)) {
    references.add(name?.replace(/[\s`]/g, ""), "import");
  }
  const packageName = (PACKAGE.exec(code)?.[1] ?? "").replaceAll("`", "");
  const declared = new Set<string>();
  for (const [, name] of code.matchAll(declaration)) declared.add(name ?? "");
  const uses = [...capitalisedWords(code)].filter((name) => !declared.has(name));
  return makeScan(references, [packageName, ...declared], uses);
}

/** Imports by name; `uses` holds the types that are named, for those of the same package. */
export function scanJava(text: string): Scan {
  return scanWith(lexJava(text).code, JAVA_TYPE);
}

/** As for Java; functions and values at top level can be imported too. */
export function scanKotlin(text: string): Scan {
  return scanWith(lexKotlin(text).code, KOTLIN_NAME);
}
