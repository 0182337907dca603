/** JSON with the lines that its values stand on, so that a message can point at one. */
import type { Json } from "./json.ts";

export interface Located {
  /** Counted from 1; of a member of an object, the line of its name. */
  readonly line: number;
  readonly value: null | boolean | number | string | readonly Located[] | LocatedMembers;
}
export type LocatedMembers = ReadonlyMap<string, Located>;

/** Why a text is no JSON. */
export class JsonFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const DEEPEST = 32;
const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON lets none stand in a string.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/**
 * Parses JSON, and nothing more lenient. A name that an object has twice is a fault, since one of
 * the two would be lost.
 * @throws JsonFault
 */
export function parseLocated(text: string): Located {
  const scanner = new Scanner(text.replace(/^\ufeff/, ""));
  const value = scanner.value(0);
  scanner.end();
  return value;
}

/** The same without the lines. */
export function plainJson({ value }: Located): Json {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, member]) => [name, plainJson(member)]));
  }
  return Array.isArray(value) ? value.map(plainJson) : (value as Json);
}

class Scanner {
  private readonly text: string;
  private at = 0;
  private line = 1;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): Located {
    if (depth > DEEPEST) throw this.fault(`nested deeper than ${DEEPEST}`);
    this.space();
    const { line } = this;
    const next = this.text[this.at];
    if (next === "{") return { line, value: this.members(depth) };
    if (next === "[") return { line, value: this.items(depth) };
    const literal = this.take(STRING) ?? this.take(NUMBER) ?? this.take(WORD);
    if (literal === undefined) throw this.fault(`expected a value, found ${this.found()}`);
    return { line, value: JSON.parse(literal) };
  }

  end(): void {
    this.space();
    if (this.at < this.text.length) throw this.fault(`expected the end, found ${this.found()}`);
  }

  private members(depth: number): LocatedMembers {
    const members = new Map<string, Located>();
    this.each("}", () => {
      const { line } = this;
      const literal = this.take(STRING);
      if (literal === undefined)
        throw this.fault(`expected a name in quotes, found ${this.found()}`);
      const name: string = JSON.parse(literal);
      if (members.has(name)) throw this.fault(`${JSON.stringify(name)} is there twice`);
      this.space();
      this.expect(":");
      members.set(name, { line, value: this.value(depth + 1).value });
    });
    return members;
  }

  private items(depth: number): readonly Located[] {
    const items: Located[] = [];
    this.each("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  /** What stands between brackets, separated by commas. */
  private each(close: string, read: () => void): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.space();
      read();
      this.space();
      if (this.text[this.at] === close) break;
      this.expect(",", close);
    }
    this.at += 1;
  }

  private expect(...signs: readonly string[]): void {
    const [sign = ""] = signs;
    if (this.text[this.at] !== sign) {
      throw this.fault(`expected ${signs.join(" or ")}, found ${this.found()}`);
    }
    this.at += 1;
  }

  private space(): void {
    for (const sign of this.take(SPACE) ?? "") if (sign === "\n") this.line += 1;
  }

  private take(pattern: RegExp): string | undefined {
    const here = new RegExp(pattern);
    here.lastIndex = this.at;
    const found = here.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private found(): string {
    const sign = this.text[this.at];
    return sign === undefined ? "the end of the file" : JSON.stringify(sign);
  }

  private fault(message: string): JsonFault {
    return new JsonFault(this.line, message);
  }
}
