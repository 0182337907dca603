/** Addresses that hold a password, such as those of databases and of git over HTTPS. */
import type { Match } from "./finding.ts";
import { isSpelledName, isStandIn, looksRandom } from "./value.ts";

const ADDRESS =
  /([a-z][a-z0-9+.-]{1,30}):\/\/([^\s:/@?#"'`<>\\]{0,100}):([^\s/@"'`<>\\]{6,200})@(\[[0-9a-f:]+\]|[\w.-]+)/gi;
const EXAMPLE = /(?:^|\.)(?:example|invalid|test|local)(?:\.|$)/i;
/** The machine itself, and names that only its containers know. */
const NEARBY = /^(?:localhost|127\.|0\.0\.0\.0|\[|[\w-]+$)/i;

/** A password counts where others reach the host, elsewhere only when it is random. */
export function findAddresses(text: string): readonly Match[] {
  if (!text.includes("://")) return [];
  const matches: Match[] = [];
  for (const { 0: all, 2: user, 3: password = "", 4: host = "", index } of text.matchAll(ADDRESS)) {
    if (password === user || isStandIn(password) || isSpelledName(password)) continue;
    if (EXAMPLE.test(host) || (NEARBY.test(host) && !looksRandom(password))) continue;
    matches.push({ rule: "address-password", start: index, end: index + all.length });
  }
  return matches;
}
