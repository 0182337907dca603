import { tokenizer } from "acorn";
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

/** Where `export` stands if the script begins with `export const meta`. */
function metaExportOffset(text: string): number | undefined {
  const tokens = tokenizer(text, { ecmaVersion: "latest", sourceType: "module" });
  const first = tokens.getToken();
  const words = [first, tokens.getToken(), tokens.getToken()];
  const source = words.map((token) => text.slice(token.start, token.end)).join(" ");
  return source === "export const meta" ? first.start : undefined;
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
  if (text.startsWith("import", offset)) {
    return { kind: "unsupported", fault: importFault(text, offset) };
  }
  if (text.startsWith(EXPORT, offset)) {
    return { kind: "unsupported", fault: exportFault(text, offset) };
  }
  const message = String(error.message).replace(/ in strip-only mode$|\.$/, "");
  if (error.code === "UnsupportedSyntax") {
    const hint = "write plain JavaScript, or TypeScript that only needs its types erased";
    return {
      kind: "unsupported",
      fault: faultAt(text, offset, "script_syntax", message, hint),
    };
  }
  const hint = "correct the script there and validate it again";
  return { kind: "failed", fault: faultAt(text, offset, "script_syntax", message, hint), offset };
}

/**
 * Blanks the types of a TypeScript script; every other character keeps its place.
 * `undefined` where the text is beyond the stripper: it would change lone surrogates, and it
 * cannot read very deep nesting.
 */
export async function stripTypes(text: string): Promise<Stripped | undefined> {
  if (!text.isWellFormed()) return undefined;
  const { transformSync } = await import("amaro");
  const attempt = (script: string) => {
    try {
      return { code: transformSync(script, { mode: "strip-only" }).code };
    } catch (error) {
      return { error };
    }
  };
  const metaExport = metaExportOffset(text);
  const wrapped = OPEN + replaceAt(text, metaExport, " ".repeat(EXPORT.length)) + CLOSE;
  const result = attempt(wrapped);
  if (result.code !== undefined) {
    if (result.code.length !== wrapped.length) return undefined;
    const script = result.code.slice(OPEN.length, -CLOSE.length);
    return { kind: "stripped", text: replaceAt(script, metaExport, EXPORT) };
  }
  const flat = flattenWidths(wrapped);
  const located = attempt(flat).error ?? result.error;
  return isRecord(located) && "startLine" in located ? failure(text, flat, located) : undefined;
}
