/** Takes comments and strings out of source text, so that what is left can be searched for code. */

/** A string ends at `close`, or where it may not span lines, it is none when the line ends first. */
export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** Whether a backslash takes the next character with it. */
  readonly escapes: boolean;
  readonly spansLines: boolean;
  /** Opens an expression inside of the string that ends at the matching `}`. */
  readonly hole?: string;
}

export interface BlockComment {
  readonly open: string;
  readonly close: string;
  readonly nests: boolean;
}

/** What `LexicalRules.special` found: a literal of the given content, or else blank. */
export interface Span {
  readonly end: number;
  readonly literal?: readonly [start: number, end: number];
}

/**
 * Looks at `at`, where a character of its rules stands.
 * @param missing what was looked for in vain before: a place for notes on this text.
 */
export type Special = (text: string, at: number, missing: Set<string>) => Span | undefined;

export interface LexicalRules {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly BlockComment[];
  /** Longer openings first. */
  readonly strings: readonly StringRule[];
  /** What the other rules cannot say, asked where a character of `specialCharacters` stands. */
  readonly specialCharacters?: string;
  readonly special?: Special;
}

export interface Lexed {
  /** The text with comments blank and every string as `"N"`, the index of its literal. */
  readonly code: string;
  /** Contents of strings as written, with their escapes. Those with holes are empty. */
  readonly literals: readonly string[];
}

export type Lexer = (text: string) => Lexed;

interface Hole {
  readonly rule: StringRule;
  depth: number;
}

interface StringEnd {
  readonly found: "close" | "hole" | "none";
  readonly end: number;
}

/** A string with its common rules. */
export function quoted(quote: string, more: Partial<StringRule> = {}): StringRule {
  return { open: quote, close: quote, escapes: true, spansLines: false, ...more };
}

export const SLASH_COMMENTS = {
  lineComments: ["//"],
  blockComments: [{ open: "/*", close: "*/", nests: false }],
} as const satisfies Partial<LexicalRules>;

function classOf(characters: Iterable<string>): RegExp {
  const escaped = [...new Set(characters)].map((character) =>
    character.replace(/[\]\\^-]/, "\\$&"),
  );
  return new RegExp(`[${escaped.join("")}]`, "g");
}

function first(openings: readonly { readonly open: string }[]): string[] {
  return openings.map(({ open }) => open.charAt(0));
}

/** Finds the next character that a pattern of one class of characters matches; the length if none. */
function seek(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function stops(rule: StringRule): RegExp {
  const characters = [rule.close.charAt(0)];
  if (rule.escapes) characters.push("\\");
  if (!rule.spansLines) characters.push("\n");
  if (rule.hole !== undefined) characters.push(rule.hole.charAt(0));
  return classOf(characters);
}

function stringEnd(text: string, from: number, rule: StringRule, stop: RegExp): StringEnd {
  let at = seek(stop, text, from);
  while (at < text.length) {
    if (text.startsWith(rule.close, at)) return { found: "close", end: at };
    if (rule.hole !== undefined && text.startsWith(rule.hole, at))
      return { found: "hole", end: at };
    const character = text.charAt(at);
    if (character === "\n" && !rule.spansLines) return { found: "none", end: at };
    at = seek(stop, text, character === "\\" && rule.escapes ? at + 2 : at + 1);
  }
  return { found: "none", end: text.length };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function commentEnd(text: string, from: number, { open, close, nests }: BlockComment): number {
  if (!nests) {
    const end = text.indexOf(close, from + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  const stop = classOf([open.charAt(0), close.charAt(0)]);
  let depth = 1;
  let at = seek(stop, text, from + open.length);
  while (at < text.length) {
    if (text.startsWith(close, at)) depth -= 1;
    else if (text.startsWith(open, at)) depth += 1;
    else {
      at = seek(stop, text, at + 1);
      continue;
    }
    if (depth === 0) return at + close.length;
    at = seek(stop, text, at + open.length);
  }
  return text.length;
}

/** The comment at `at`, and what stands in its place: a line end where it held one. */
function commentSpan(
  text: string,
  at: number,
  { lineComments, blockComments }: LexicalRules,
): { readonly end: number; readonly by: string } | undefined {
  if (lineComments.some((open) => text.startsWith(open, at))) {
    return { end: lineEnd(text, at), by: "" };
  }
  const block = blockComments.find(({ open }) => text.startsWith(open, at));
  if (block === undefined) return undefined;
  const end = commentEnd(text, at, block);
  return { end, by: lineEnd(text, at) < end ? "\n" : " " };
}

/** Collects the lexed text: `at` is how far the source has been read. */
function createOutput(text: string) {
  const pieces: string[] = [];
  const literals: string[] = [];
  let done = 0;
  return {
    /** Copies the code before `at` and puts `by` in place of what ends at `end`. */
    replace(at: number, end: number, by: string): number {
      pieces.push(text.slice(done, at), by);
      done = end;
      return end;
    },
    literal(at: number, end: number, content: readonly [start: number, end: number]): number {
      literals.push(text.slice(...content));
      return this.replace(at, end, `"${literals.length - 1}"`);
    },
    finish(): Lexed {
      pieces.push(text.slice(done));
      return { code: pieces.join(""), literals };
    },
  };
}

/** The characters that anything but plain code may begin with. */
function openingsOf(rules: LexicalRules): string[] {
  return [
    ...first(rules.strings),
    ...first(rules.blockComments),
    ...rules.lineComments.map((open) => open.charAt(0)),
    ...(rules.specialCharacters ?? ""),
  ];
}

/** A lexer of one language. Linear in the length of the text. */
export function createLexer(rules: LexicalRules): Lexer {
  const special = rules.specialCharacters ?? "";
  const openings = openingsOf(rules);
  const outside = classOf(openings);
  const inHole = classOf([...openings, "{", "}"]);
  const stopsOf = new Map(rules.strings.map((rule) => [rule, stops(rule)]));

  return (text) => {
    const output = createOutput(text);
    const holes: Hole[] = [];
    const unclosed = new Set<StringRule>();
    const missing = new Set<string>();

    /** Reads a string, or where a hole in it has just ended the rest of it, from `from`. */
    function readString(rule: StringRule, at: number, from: number): number {
      const goesOn = at === from;
      const { found, end } = unclosed.has(rule)
        ? { found: "none", end: from }
        : stringEnd(text, from, rule, stopsOf.get(rule) ?? outside);
      if (end === text.length) unclosed.add(rule);
      if (found === "hole") {
        holes.push({ rule, depth: 0 });
        return output.replace(at, end + (rule.hole ?? "").length, goesOn ? "(" : "`(");
      }
      if (found === "none") return output.replace(at, goesOn ? end : from, " ");
      const after = end + rule.close.length;
      return goesOn ? output.replace(at, after, "`") : output.literal(at, after, [from, end]);
    }
    function readBrace(at: number): number {
      const hole = holes.at(-1);
      if (hole === undefined) return at + 1;
      if (text.charAt(at) === "{") hole.depth += 1;
      else hole.depth -= 1;
      if (hole.depth >= 0) return at + 1;
      holes.pop();
      const after = output.replace(at, at + 1, ")");
      return readString(hole.rule, after, after);
    }
    function readAt(at: number): number {
      const comment = commentSpan(text, at, rules);
      if (comment !== undefined) return output.replace(at, comment.end, comment.by);
      const character = text.charAt(at);
      const span = special.includes(character) ? rules.special?.(text, at, missing) : undefined;
      if (span?.literal !== undefined) return output.literal(at, span.end, span.literal);
      if (span !== undefined) return output.replace(at, span.end, " ");
      const rule = rules.strings.find(({ open }) => text.startsWith(open, at));
      if (rule !== undefined) return readString(rule, at, at + rule.open.length);
      return character === "{" || character === "}" ? readBrace(at) : at + 1;
    }

    let at = 0;
    while (at < text.length) {
      at = seek(holes.length > 0 ? inHole : outside, text, at);
      if (at < text.length) at = readAt(at);
    }
    return output.finish();
  };
}
