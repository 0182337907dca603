import { isRecord } from "../../lib/json.ts";
import { faultAt, type ScriptFault } from "./fault.ts";
import { exportFault, importFault } from "./module-syntax.ts";

/** The stripper knows no top-level `return`, so it sees the script inside a function. */
const OPEN = "async function script() {";
const CLOSE = "\n}";
const EXPORT = "export";

export type Stripped =
  | { readonly kind: "stripped"; readonly text: string }
  /** The text is no TypeScript either; `offset` is how far the stripper could read. */
  | { readonly kind: "failed"; readonly fault: ScriptFault; readonly offset: number }
  /** TypeScript or module syntax that cannot run as a script. */
  | { readonly kind: "unsupported"; readonly fault: ScriptFault };

/** Space and comments before `export const meta`, then that. */
const META_EXPORT = /^(?:\s|\/\/.*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*export(?=\s+const\s+meta\b)/;

/** Where `export` stands if the script begins with `export const meta`. */
function metaExportOffset(text: string): number | undefined {
  const found = META_EXPORT.exec(text);
  return found === null ? undefined : found[0].length - EXPORT.length;
}

function replaceAt(text: string, offset: number | undefined, replacement: string): string {
  if (offset === undefined) return text;
  return text.slice(0, offset) + replacement + text.slice(offset + replacement.length);
}

/** One column per UTF-16 unit: the stripper counts wide characters and tabs as several. */
function flattenWidths(text: string): string {
  return text.replace(/[^\n\r -~]/g, (unit) => (/\s/.test(unit) ? " " : "a"));
}

function errorOffset(text: string, error: Record<string, unknown>): number {
  const line = Number(error.startLine);
  const column = Number(error.startColumn);
  let start = 0;
  for (let count = 1; count < line; count++) start = text.indexOf("\n", start) + 1;
  return start + column;
}

function failure(text: string, wrapped: string, error: Record<string, unknown>): Stripped {
  const offset = Math.min(Math.max(errorOffset(wrapped, error) - OPEN.length, 0), text.length);
  const word = /^[\w$]*/.exec(text.slice(offset, offset + 10))?.[0];
  if (word === "import") return { kind: "unsupported", fault: importFault(text, offset) };
  if (word === EXPORT) return { kind: "unsupported", fault: exportFault(text, offset) };
  const message = String(error.message).replace(/ in strip-only mode$|\.$/, "");
  if (error.code === "UnsupportedSyntax") {
    const hint = "write plain JavaScript, or TypeScript that only needs its types erased";
    return { kind: "unsupported", fault: faultAt(text, offset, "script_syntax", message, hint) };
  }
  const hint = "correct the script there and validate it again";
  return { kind: "failed", fault: faultAt(text, offset, "script_syntax", message, hint), offset };
}

/** Very deep nesting overflows the stripper's stack, after which it works no more. */
function brokenStripper(text: string, offset: number): Stripped {
  const message = "The script is no JavaScript, and its types cannot be stripped";
  const hints = [
    "write plain JavaScript, or split deeply nested expressions",
    "restart a pallium server that says this of every TypeScript script",
  ];
  return { kind: "unsupported", fault: faultAt(text, offset, "script_syntax", message, ...hints) };
}

/** As a module, since in other code the stripper takes `<!--` for the start of a comment. */
const STRIP_OPTIONS = { mode: "strip-only", module: true } as const;
type Transform = (source: string, options: typeof STRIP_OPTIONS) => { code: string };

function tryTransform(transform: Transform, source: string): { code: string } | { error: unknown } {
  try {
    return transform(source, STRIP_OPTIONS);
  } catch (error) {
    return { error };
  }
}

/**
 * Blanks the types of a TypeScript script; every other character keeps its place.
 * @param offset where `text` stops being JavaScript.
 * @returns `undefined` where the text is beyond the stripper, which would change lone surrogates.
 */
export async function stripTypes(text: string, offset: number): Promise<Stripped | undefined> {
  if (!text.isWellFormed()) return undefined;
  const { transformSync } = await import("amaro");
  const metaExport = metaExportOffset(text);
  const wrapped = OPEN + replaceAt(text, metaExport, " ".repeat(EXPORT.length)) + CLOSE;
  const result = tryTransform(transformSync, wrapped);
  if ("code" in result) {
    if (result.code.length !== wrapped.length) return undefined;
    const script = result.code.slice(OPEN.length, -CLOSE.length);
    return { kind: "stripped", text: replaceAt(script, metaExport, EXPORT) };
  }
  const flat = flattenWidths(wrapped);
  const located = tryTransform(transformSync, flat);
  const error = "error" in located ? located.error : result.error;
  if (isRecord(error) && typeof error.startLine === "number") return failure(text, flat, error);
  return brokenStripper(text, offset);
}
