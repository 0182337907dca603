/** The names in clauses of imports and exports. */

const CLAUSE_LIMIT = 20_000;
const CLAUSE_CHARACTER = /[\w$\s,{}*]/;
/** The last keyword before the clause's end (1), and the clause (2). */
const CLAUSE = /^(?:[\s\S]*[^\w$.])?(import|export)(?![\w$])([\s\S]*)$/;
const IN_BRACES = /\{([^}]*)\}/g;
const WORD = /^[\w$]+$/;

export interface Clause {
  readonly kind: "import" | "export";
  /**
   * As the module calls them, and of an export as others see them too. `default` is what comes by
   * default, `*` is all.
   */
  readonly names: readonly string[];
}

/** The clause that ends at the `from` at `at`; `undefined` where none does. */
export function clauseBefore(code: string, at: number): Clause | undefined {
  let start = at;
  const limit = Math.max(0, at - CLAUSE_LIMIT);
  while (start > limit && CLAUSE_CHARACTER.test(code.charAt(start - 1))) start -= 1;
  const match = CLAUSE.exec(code.slice(start, at));
  if (match === null) return undefined;
  const kind = match[1] === "import" ? "import" : "export";
  return { kind, names: clauseNames(match[2] ?? "", kind) };
}

/** The names of `a, type b as c`, each with what it is called here. */
function listedNames(list: string): [there: string, here: string][] {
  return list.split(",").flatMap((item): [string, string][] => {
    const words = item
      .trim()
      .replace(/^type\s+(?!as\b)/, "")
      .split(/\s+as\s+/);
    const [there = "", here = there] = words;
    return WORD.test(there) && WORD.test(here) ? [[there, here]] : [];
  });
}

function clauseNames(clause: string, kind: Clause["kind"]): string[] {
  const names: string[] = [];
  const plain = clause.trim().replace(/^type(?=\s+[\w$*]|\s*\{)/, "");
  const outside = plain.replace(IN_BRACES, (_, list: string) => {
    for (const pair of listedNames(list)) names.push(...(kind === "export" ? pair : [pair[0]]));
    return "";
  });
  for (const part of outside.split(",")) {
    const [first, , name] = part.trim().split(/\s+/);
    if (first === "*") names.push(kind === "export" && name !== undefined ? name : "*");
    else if (first !== undefined && WORD.test(first)) names.push("default");
  }
  return names;
}

const DECLARATION =
  /\bexport\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+enum|const|let|var|function\s*\*?|class|type|interface|enum|namespace)\s*\b([\w$]+)/g;
const DEFAULT = /\bexport\s+default\b/;
const LIST = /\bexport\s*(?:type\s*)?\{([^}]*)\}(?!\s*from\b)/g;

/** The names that a module itself exports. */
export function exportedNames(code: string): Set<string> {
  const names = new Set<string>();
  for (const [, name = ""] of code.matchAll(DECLARATION)) names.add(name);
  if (DEFAULT.test(code)) names.add("default");
  for (const [, list = ""] of code.matchAll(LIST)) {
    for (const [, name] of listedNames(list)) names.add(name);
  }
  return names;
}
