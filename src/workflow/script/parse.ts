import { type Options, type Program, parse } from "acorn";
import { messageOf } from "../../lib/errors.ts";
import { isRecord } from "../../lib/json.ts";
import { faultAt, type ScriptFault } from "./fault.ts";
import { stripTypes } from "./strip-types.ts";

const PARSE_OPTIONS = {
  ecmaVersion: "latest",
  sourceType: "module",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: false,
  ranges: true,
} as const satisfies Options;

export interface ParsedScript {
  /** JavaScript of the same length as the script, types blanked. */
  readonly text: string;
  readonly program: Program;
}

interface SyntaxFault {
  readonly fault: ScriptFault;
  readonly offset: number;
  readonly message: string;
}

function describe(message: string, text: string, offset: number): string {
  if (message !== "Unexpected token") return message;
  const found = /^[\p{ID_Continue}$]+|^./u.exec(text.slice(offset, offset + 40))?.[0];
  return found === undefined ? "Unexpected end of the script" : `Unexpected token ${found}`;
}

function hintFor(message: string): string {
  if (message.includes("await")) return "mark the enclosing function `async`";
  if (message.includes("stack space")) return "split the script's deepest expression into steps";
  return "correct the script there and validate it again";
}

function syntaxFault(text: string, error: unknown): SyntaxFault {
  if (!isRecord(error) || typeof error.pos !== "number") throw error;
  const message = messageOf(error).replace(/ \(\d+:\d+\)$/, "");
  const sentence = describe(message, text, error.pos);
  return {
    fault: faultAt(text, error.pos, "script_syntax", sentence, hintFor(message)),
    offset: error.pos,
    message,
  };
}

function tryParse(text: string): ParsedScript | SyntaxFault {
  try {
    return { text, program: parse(text, PARSE_OPTIONS) };
  } catch (error) {
    return syntaxFault(text, error);
  }
}

/** Type annotations make the parser stumble over a token; its other complaints are about JavaScript. */
function mayBeTypeScript(message: string): boolean {
  return /^(Unexpected|The keyword) /.test(message);
}

/**
 * Parses a script as it stands, without any wrapper, so that nothing in it can close one.
 * Only what is no JavaScript is tried as TypeScript.
 * @throws ScriptFault with the more telling of the two parsers' complaints.
 */
export async function parseScript(text: string): Promise<ParsedScript> {
  const plain = tryParse(text);
  if ("program" in plain) return plain;
  if (!mayBeTypeScript(plain.message)) throw plain.fault;
  const stripped = await stripTypes(text, plain.offset);
  if (stripped === undefined) throw plain.fault;
  if (stripped.kind === "unsupported") throw stripped.fault;
  if (stripped.kind === "failed") {
    // Reading on behind a stray brace proves nothing: it closed the stripper's own wrapper.
    const readFurther = stripped.offset > plain.offset && text[plain.offset] !== "}";
    throw readFurther ? stripped.fault : plain.fault;
  }
  const parsed = tryParse(stripped.text);
  if ("program" in parsed) return parsed;
  throw parsed.fault;
}
