import { type Json, parseJson } from "./json.ts";

const STRING = '"(?:\\\\.|[^"\\\\\\n])*"';
const COMMENT = new RegExp(`${STRING}|//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)`, "g");
const LAST_COMMA = new RegExp(`${STRING}|,(?=\\s*[\\]}])`, "g");

function keepStrings(token: string): string {
  return token.startsWith('"') ? token : " ";
}

/** Parses JSON that may hold comments and trailing commas (tsconfig.json); `undefined` where it cannot. */
export function parseJsonc(text: string): Json | undefined {
  const bare = text.replace(/^\ufeff/, "").replace(COMMENT, keepStrings);
  return parseJson(bare.replace(LAST_COMMA, keepStrings));
}
