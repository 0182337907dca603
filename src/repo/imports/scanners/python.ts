import { createLexer, quoted } from "../lexer.ts";
import type { Scan } from "../types.ts";
import { createReferences, literalAt, makeScan, type References } from "./collect.ts";

const lex = createLexer({
  lineComments: ["#"],
  blockComments: [],
  strings: [
    quoted('"""', { spansLines: true }),
    quoted("'''", { spansLines: true }),
    quoted('"'),
    quoted("'"),
  ],
});

const STATEMENT =
  /(?:^|[;:])[ \t]*(?:from[ \t]*(\.[. \t]*[\w.]*|[^\W\d][\w.]*)[ \t]*\bimport\b[ \t]*(?:\(([^)]*)\)|([^\n;]*))|import[ \t]+([\w., \t]+))/gm;
const BY_STRING =
  /\b(?:import_module|__import__|importorskip|patch(?:\.object|\.dict)?|setattr)[ \t]*\(\s*"(\d+)"/g;
const DOTTED = /^[^\W\d]\w*(?:\.[^\W\d]\w*)*$/;

/** The names of `a, b as c`, without what they are called here. */
function namesOf(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim().split(/\s+/)[0] ?? "")
    .filter((name) => name !== "");
}

function addModules(references: References, list: string): void {
  for (const name of namesOf(list)) references.add(name, "import");
}

/** Modules that are imported, also where a string names them (`import_module`, `mock.patch`). */
export function scanPython(text: string): Scan {
  const lexed = lex(text);
  const code = lexed.code.includes("\\\n") ? lexed.code.replaceAll("\\\n", " ") : lexed.code;
  const references = createReferences();
  for (const [, module, inBrackets, inLine, modules] of code.matchAll(STATEMENT)) {
    if (modules !== undefined) addModules(references, modules);
    else {
      const names = namesOf(inBrackets ?? inLine ?? "");
      references.add(module?.replace(/\s/g, ""), "import", names);
    }
  }
  for (const [, index] of code.matchAll(BY_STRING)) {
    const name = literalAt(lexed, index);
    if (name?.includes(".") && DOTTED.test(name)) references.add(name, "import");
  }
  return makeScan(references);
}
