/** Words after which a slash begins a regular expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|do|else|in|of|void|delete|throw|await|yield)$/;
const OPERATOR = /[([{,;:=!&|?+\-*%~^<>]$/;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** Nothing that begins or ends a literal, a comment or a block. */
const PLAIN = /[^"'`/{}]+/y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
const QUOTED = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** Walks source once; the open braces are kept so that the end of a `${…}` is known. */
class Masker {
  readonly #text: string;
  readonly #braces: ("block" | "template")[] = [];
  #at = 0;
  #out = "";

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    while (this.#at < this.#text.length) this.#step();
    return this.#out;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #emit(source: string, shown: string): void {
    this.#out += shown;
    this.#at += source.length;
  }

  /** The next literal or comment, and how it is shown; `undefined` when code comes next. */
  #literal(): readonly [source: string, shown: string] | undefined {
    const comment = this.#match(LINE_COMMENT) ?? this.#match(BLOCK_COMMENT);
    if (comment !== undefined) return [comment, blank(comment)];
    const quoted = this.#match(QUOTED);
    if (quoted !== undefined) {
      const quote = quoted.charAt(0);
      return [quoted, `${quote}${blank(quoted.slice(1, -1))}${quote}`];
    }
    const regex = this.#regexAllowed() ? this.#match(REGEX) : undefined;
    return regex === undefined ? undefined : [regex, `/${blank(regex.slice(1, -1))}/`];
  }

  #step(): void {
    const plain = this.#match(PLAIN);
    if (plain !== undefined) this.#emit(plain, plain);
    const literal = this.#literal();
    if (literal !== undefined) this.#emit(...literal);
    else this.#character(this.#text.charAt(this.#at));
  }

  #character(character: string): void {
    this.#emit(character, character);
    if (character === "{") this.#braces.push("block");
    if (character === "`") this.#template();
    if (character === "}" && this.#braces.pop() === "template") this.#template();
  }

  #template(): void {
    const text = this.#match(TEMPLATE_TEXT) ?? "";
    this.#emit(text, blank(text));
    if (this.#text.startsWith("${", this.#at)) {
      this.#emit("${", "${");
      this.#braces.push("template");
    } else {
      this.#emit("`", "`");
    }
  }

  #regexAllowed(): boolean {
    const before = this.#out.slice(-200).trimEnd();
    return before === "" || OPERATOR.test(before) || BEFORE_REGEX.test(before);
  }
}

/**
 * The source with comments and the insides of strings, templates and regular expressions turned
 * into spaces: what is left is code, at the same offsets and lines.
 */
export function maskSource(text: string): string {
  return new Masker(text).run();
}
