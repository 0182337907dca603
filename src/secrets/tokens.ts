/** Finds tokens by the form that their issuers gave them. */
import { parseJson } from "../lib/json.ts";
import { execAt } from "./exec-at.ts";
import type { Match } from "./finding.ts";
import { TOKEN_RULES } from "./token-rules.ts";
import { entropy, isSpelledName, isStandIn } from "./value.ts";

/** Base64 of "-----BEGIN", as keys stand in Kubernetes secrets and environment variables. */
const ENCODED_PEM = "LS0tLS1CRUdJTi";
/** Sixteen random characters seldom have less, patterns that a person types do. */
const LEAST_ENTROPY = 2.4;

/** One pass over the text finds the pieces that tokens have; the rules look only there. */
const PIECES = new RegExp(
  [...new Set([ENCODED_PEM, ...TOKEN_RULES.flatMap(({ at }) => at)])]
    .sort((a, b) => b.length - a.length)
    .map((piece) => RegExp.escape(piece))
    .join("|"),
  "g",
);

export function findTokens(text: string): readonly Match[] {
  const matches: Match[] = [];
  for (const piece of text.matchAll(PIECES)) {
    if (piece.index < (matches.at(-1)?.end ?? 0)) continue;
    const match = tokenAt(text, piece.index, piece[0]);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

function tokenAt(text: string, index: number, piece: string): Match | undefined {
  if (piece === ENCODED_PEM) return encodedKeyAt(text, index);
  for (const { rule, at, back = 0, pattern } of TOKEN_RULES) {
    if (!at.some((own) => piece.startsWith(own))) continue;
    const found = execAt(pattern, text, index - back);
    const body = found?.[1] ?? "";
    if (found === null || entropy(body) < LEAST_ENTROPY) continue;
    if (isStandIn(body) || isSpelledName(body)) continue;
    if (rule === "jwt" && isPublicJwt(found[0])) continue;
    return { rule, start: found.index, end: found.index + found[0].length };
  }
  return undefined;
}

function encodedKeyAt(text: string, index: number): Match | undefined {
  const base64 = /^[A-Za-z0-9+/]{100,}/.exec(text.slice(index, index + 16_000))?.[0] ?? "";
  const head = Buffer.from(base64.slice(0, 100), "base64").toString("latin1");
  if (!head.includes("PRIVATE KEY")) return undefined;
  return { rule: "private-key", start: index, end: index + base64.length };
}

/** The sample of jwt.io, and the keys that every local Supabase has. */
function isPublicJwt(jwt: string): boolean {
  const payload = Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8");
  const claims = JSON.stringify(parseJson(payload) ?? "");
  return /"sub":"1234567890"|"iss":"supabase-demo"|"role":"anon"/.test(claims);
}
