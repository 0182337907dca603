import { createLexer, quoted, SLASH_COMMENTS, type Span } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, literalAt, makeScan } from "./collect.ts";
import { type Clause, clauseBefore, exportedNames } from "./javascript-names.ts";

/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_EXPRESSION = "(,=:[!&|?{;+-*%~^";
const WORD_BEFORE_EXPRESSION =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|await|yield|else|do|instanceof)$/;

const lex = createLexer({
  ...SLASH_COMMENTS,
  strings: [quoted('"'), quoted("'"), quoted("`", { spansLines: true, hole: "${" })],
  specialCharacters: "/",
  special: (text, at) => (expressionFollows(text, at) ? expressionSpan(text, at) : undefined),
});

function expressionFollows(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && " \t\r\n".includes(text.charAt(before))) before -= 1;
  if (before < 0) return true;
  const character = text.charAt(before);
  if (character === ">") return text.charAt(before - 1) === "=";
  if (BEFORE_EXPRESSION.includes(character)) return true;
  return WORD_BEFORE_EXPRESSION.test(text.slice(Math.max(0, before - 11), before + 1));
}

/** Longer than any expression on one line. */
const EXPRESSION_LIMIT = 1000;

/** The regular expression at `at`, which ends on its line. */
function expressionSpan(text: string, at: number): Span | undefined {
  let inClass = false;
  const limit = Math.min(text.length, at + EXPRESSION_LIMIT);
  for (let index = at + 1; index < limit; index += 1) {
    const character = text.charAt(index);
    if (character === "\n") return undefined;
    if (character === "\\") index += 1;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "/" && !inClass) return { end: index + 1 };
  }
  return undefined;
}

const CALLS = [
  "import",
  "require",
  "require\\s*\\.\\s*resolve",
  "(?:vi|jest|vitest|mock)\\s*\\.\\s*(?:mock|unmock|doMock|doUnmock|module|setMock|importActual|importMock|requireActual|requireMock|createMockFromModule|unstable_mockModule)",
  "new\\s+URL",
].join("|");
/** Group 1 is the word before a literal (2), or 3 the function that takes it (4). */
const IMPORTS = new RegExp(
  `\\b(from|import)\\s*"(\\d+)"|\\b(${CALLS})\\s*(?:<[^();]{0,200}>\\s*)?\\(\\s*"(\\d+)"\\s*([,)])`,
  "g",
);
const NO_CLAUSE: Clause = { kind: "import", names: [] };
const META_URL = /^\s*import\s*\.\s*meta\s*\.\s*url/;

/** Whether a statement can begin at `at`: text of JSX may say `import "x"` too. */
function beginsStatement(code: string, at: number): boolean {
  let before = at - 1;
  while (code.charAt(before) === " " || code.charAt(before) === "\t") before -= 1;
  return before < 0 || '\n\r;{}"\ufeff'.includes(code.charAt(before));
}

function isMember(code: string, at: number): boolean {
  const before = code.charAt(at - 1);
  return before === "$" || (before === "." && !code.startsWith("...", at - 3));
}

const SCRIPT_OPEN = /<script\b[^>]{0,1000}>/gi;

/** The scripts of a Vue or Svelte component; any other text as it is. */
function scriptOf(text: string): string {
  if (!text.trimStart().startsWith("<") || !text.includes("<script")) return text;
  const scripts: string[] = [];
  let done = 0;
  for (const { index, 0: open } of text.matchAll(SCRIPT_OPEN)) {
    const start = index + open.length;
    const end = index < done ? -1 : text.indexOf("</script", start);
    if (end < 0) continue;
    scripts.push(text.slice(start, end));
    done = end;
  }
  return scripts.join("\n;\n");
}

/** Imports of every form of ECMAScript and TypeScript, `require`, mocks, worker URLs; and exported names. */
export function scanJavascript(text: string): Scan {
  const lexed = lex(scriptOf(text));
  const { code } = lexed;
  const references = createReferences();
  for (const match of code.matchAll(IMPORTS)) {
    const [whole, word, afterWord, call, inCall, after] = match;
    if (isMember(code, match.index)) continue;
    if (word === "import" && !beginsStatement(code, match.index)) continue;
    const clause = word === "from" ? clauseBefore(code, match.index) : NO_CLAUSE;
    if (clause === undefined) continue;
    if (call?.startsWith("new")) {
      const rest = code.slice(match.index + whole.length, match.index + whole.length + 60);
      if (after !== "," || !META_URL.test(rest)) continue;
    }
    references.add(literalAt(lexed, afterWord ?? inCall), clause.kind, clause.names);
  }
  return makeScan(references, exportedNames(code));
}
