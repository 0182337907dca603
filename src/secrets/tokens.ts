/** Finds tokens by the form that their issuers gave them. */
import { parseJson } from "../lib/json.ts";
import { execAt } from "./exec-at.ts";
import type { Match } from "./finding.ts";
import { TOKEN_RULES, type TokenRule } from "./token-rules.ts";
import { entropy, isSpelledName, isStandIn } from "./value.ts";

/** Base64 of "-----BEGIN", as keys stand in Kubernetes secrets and environment variables. */
export const ENCODED_PEM = "LS0tLS1CRUdJTi";
/** As much of it as tells what it is the beginning of. */
const ENCODED_HEAD = /[A-Za-z0-9+/]{100}/y;
const ENCODED_KEY = /[A-Za-z0-9+/]{100,16000}/y;
/** Sixteen random characters seldom have less, patterns that a person types do. */
const LEAST_ENTROPY = 2.4;

interface PieceRule {
  /** Length of the piece that the rule is for. */
  readonly own: number;
  readonly tokenRule: TokenRule;
}

export type FindTokens = (text: string) => readonly Match[];

export function createTokenRules(): FindTokens {
  const rulesByPiece = new Map(
    [ENCODED_PEM, ...TOKEN_RULES.flatMap(({ at }) => at)].map((piece) => [piece, rulesOf(piece)]),
  );
  // One pass over the text finds the pieces.
  const pieces = new RegExp(
    [...rulesByPiece.keys()]
      .sort((a, b) => b.length - a.length)
      .map((piece) => RegExp.escape(piece))
      .join("|"),
    "g",
  );
  return (text) => {
    const matches: Match[] = [];
    const endOf = createEnds(text);
    for (const { 0: piece, index } of text.matchAll(pieces)) {
      if (index < (matches.at(-1)?.end ?? 0)) continue;
      const match =
        piece === ENCODED_PEM
          ? encodedKeyAt(text, index)
          : tokenAt(text, index, rulesByPiece.get(piece) ?? [], endOf);
      if (match !== undefined) matches.push(match);
    }
    return matches;
  };
}

/** Also those that are for the beginning of a piece, with the length of what they are for. */
function rulesOf(piece: string): readonly PieceRule[] {
  return TOKEN_RULES.flatMap((tokenRule) => {
    const begins = tokenRule.at.find((at) => piece.startsWith(at));
    return begins === undefined ? [] : [{ own: begins.length, tokenRule }];
  });
}

/** Where a token of a rule ends at the latest whose body begins at an offset; these must not descend. */
type EndOf = (rule: TokenRule, from: number) => number;

/** Reads the text once for each rule, however many of its tokens seem to begin there. */
function createEnds(text: string): EndOf {
  const ends = new Map<TokenRule, number>();
  return (rule, from) => {
    const known = ends.get(rule);
    if (known !== undefined && known >= from) return known;
    const found = rule.next === undefined ? null : execAt(rule.next, text, from);
    const end = found?.index ?? text.length;
    ends.set(rule, end);
    return end;
  };
}

function tokenAt(
  text: string,
  index: number,
  rules: readonly PieceRule[],
  endOf: EndOf,
): Match | undefined {
  for (const { own, tokenRule } of rules) {
    const { rule, back = 0, pattern } = tokenRule;
    const upTo = text.slice(0, endOf(tokenRule, index + own));
    const found = execAt(pattern, upTo, index - back);
    const body = found?.[1] ?? "";
    if (found === null || entropy(body) < LEAST_ENTROPY) continue;
    if (isStandIn(body) || isSpelledName(body)) continue;
    if (rule === "jwt" && isPublicJwt(found[0])) continue;
    return { rule, start: found.index, end: found.index + found[0].length };
  }
  return undefined;
}

function encodedKeyAt(text: string, index: number): Match | undefined {
  const head = execAt(ENCODED_HEAD, text, index)?.[0] ?? "";
  if (!Buffer.from(head, "base64").toString("latin1").includes("PRIVATE KEY")) return undefined;
  const base64 = execAt(ENCODED_KEY, text, index)?.[0] ?? head;
  return { rule: "private-key", start: index, end: index + base64.length };
}

/** The sample of jwt.io, and the keys that every local Supabase has. */
function isPublicJwt(jwt: string): boolean {
  const payload = Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8");
  const claims = JSON.stringify(parseJson(payload) ?? "");
  return /"sub":"1234567890"|"iss":"supabase-demo"|"role":"anon"/.test(claims);
}
