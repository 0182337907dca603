import { type Json, parseJson } from "./json.ts";

/** Strings, comments, and commas before a closing bracket; only strings are kept as they are. */
const TOKENS =
  /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[\]}])/g;

/** Parses JSON that may hold comments and trailing commas (tsconfig.json); `undefined` where it cannot. */
export function parseJsonc(text: string): Json | undefined {
  return parseJson(
    text.replace(/^\ufeff/, "").replace(TOKENS, (token) => (token.startsWith('"') ? token : " ")),
  );
}
