/** One import or re-export of a module, as written. */
export interface ModuleImport {
  readonly specifier: string;
  readonly offset: number;
  /** `dynamic` ones load when they are reached, `type` ones never; the rest load with the file. */
  readonly kind: "static" | "dynamic" | "type";
  readonly reExport: boolean;
  /** The names between the braces, as exported by the other module; empty for other forms. */
  readonly names: readonly string[];
}

const STATEMENT = /(?<![\w$.])(import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?([^;"'`()]*?)(["'])/g;
const CALL = /(?<![\w$.])import\s*\(\s*(["'])/g;
const TYPE_CONTEXT = /(?:[:<|&=]|\bkeyof|\btypeof)\s*$/;

function literalAt(text: string, quoteOffset: number): string {
  const quote = text.charAt(quoteOffset);
  return text.slice(quoteOffset + 1, text.indexOf(quote, quoteOffset + 1));
}

/** `{ a, type B, c as d }` to `["a", "B", "c"]`. */
function namesIn(clause: string): readonly string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  return braces
    .split(",")
    .map((entry) =>
      entry
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s.*$/, ""),
    )
    .filter((name) => name !== "");
}

function onlyTypes(clause: string): boolean {
  const braces = /^\s*\{([^}]*)\}\s*from\s*$/.exec(clause)?.[1];
  if (braces === undefined) return false;
  const entries = braces.split(",").map((entry) => entry.trim());
  return entries.every((entry) => entry === "" || entry.startsWith("type "));
}

function statements(text: string, masked: string): ModuleImport[] {
  const found: ModuleImport[] = [];
  for (const match of masked.matchAll(STATEMENT)) {
    const [whole, keyword, typeWord, clause = ""] = match;
    const isBare = keyword === "import" && clause.trim() === "";
    if (!isBare && !/(?:^|[\s}*])from\s*$/.test(clause)) continue;
    found.push({
      specifier: literalAt(text, match.index + whole.length - 1),
      offset: match.index,
      kind: typeWord !== undefined || onlyTypes(clause) ? "type" : "static",
      reExport: keyword === "export",
      names: namesIn(clause),
    });
  }
  return found;
}

function calls(text: string, masked: string): ModuleImport[] {
  return [...masked.matchAll(CALL)].map((match) => ({
    specifier: literalAt(text, match.index + match[0].length - 1),
    offset: match.index,
    kind: TYPE_CONTEXT.test(masked.slice(0, match.index)) ? "type" : "dynamic",
    reExport: false,
    names: [],
  }));
}

/**
 * Every import of a file, type-only ones included, in order.
 * @param masked `text` as `maskSource` blanks it.
 */
export function importsOf(text: string, masked: string): readonly ModuleImport[] {
  return [...statements(text, masked), ...calls(text, masked)].sort(
    (one, other) => one.offset - other.offset,
  );
}
