/** What the scanners share: literals of lexed code, names in code, and lists that stay short. */
import type { Lexed } from "../lexer.ts";
import type { Reference, ReferenceKind, Scan } from "../types.ts";

/** Most references, declared names and used names that are kept of one file. */
const REFERENCE_LIMIT = 2000;
const NAME_LIMIT = 1000;
/** Longer specifiers name no file. */
const SPECIFIER_LIMIT = 400;

/** References of one file, each once. */
export interface References {
  add(specifier: string | undefined, kind: ReferenceKind, names?: readonly string[]): void;
  list(): readonly Reference[];
}

/** An empty collection, which keeps each reference once, in the order of the text. */
export function createReferences(): References {
  const found = new Map<string, { specifier: string; kind: ReferenceKind; names: Set<string> }>();
  return {
    add(specifier, kind, names = []) {
      if (!specifier || specifier.length > SPECIFIER_LIMIT) return;
      const key = `${kind} ${specifier}`;
      const known = found.get(key);
      if (known !== undefined) for (const name of names) known.names.add(name);
      else if (found.size < REFERENCE_LIMIT) {
        found.set(key, { specifier, kind, names: new Set(names) });
      }
    },
    list: () =>
      [...found.values()].map(({ specifier, kind, names }) =>
        names.size === 0
          ? { specifier, kind }
          : { specifier, kind, names: [...names].slice(0, NAME_LIMIT) },
      ),
  };
}

/** The literal that a placeholder in the code stands for. */
export function literalAt({ literals }: Lexed, index: string | undefined): string | undefined {
  return index === undefined ? undefined : literals[Number(index)];
}

/** A scan from its parts; names that are used without an import become one reference. */
export function makeScan(
  references: References,
  declares: Iterable<string> = [],
  uses: Iterable<string> = [],
): Scan {
  const names = [...new Set(uses)].slice(0, NAME_LIMIT);
  const list = references.list();
  return {
    references: names.length === 0 ? list : [...list, { specifier: "", kind: "use", names }],
    declares: [...new Set(declares)].slice(0, NAME_LIMIT),
  };
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code > 127
  );
}

/** Calls `visit` with the bounds of every word of letters, digits and `_`, in order. */
export function eachWord(code: string, visit: (start: number, end: number) => void): void {
  let at = 0;
  while (at < code.length) {
    if (!isWordCode(code.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    at += 1;
    while (at < code.length && isWordCode(code.charCodeAt(at))) at += 1;
    visit(start, at);
  }
}

/** Whether the word at `start` begins with a capital letter of ASCII. */
export function isCapitalised(code: string, start: number): boolean {
  const character = code.charCodeAt(start);
  return character >= 65 && character <= 90;
}

/** The distinct words that begin with a capital letter and follow no dot. */
export function capitalisedWords(code: string): Set<string> {
  const words = new Set<string>();
  eachWord(code, (start, end) => {
    if (isCapitalised(code, start) && code.charAt(start - 1) !== ".") {
      words.add(code.slice(start, end));
    }
  });
  return words;
}
