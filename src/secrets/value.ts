/** What can be told of a text that stands where a secret would stand. */
import { bitsOfChance, kindOf } from "./randomness.ts";

/** Words that somebody writes in place of a secret; each is long enough not to come up by chance. */
const STAND_IN =
  /example|sample|place_?holder|change[-_ ]?(?:me|it|this)|replace|my[-_]?(?:secret|token|pass|key)|redacted|hidden|secret[-_]?(?:key|token|value|here)|not[-_ ]?(?:real|secret|used)|insert|foobar|\*{3,}|\.{3}|…|<[^>]*>|\$\{|\{\{|\$\(|#\{|%\(|%[sdv]|123456|abcdef|deadbeef|qwerty|hunter2/i;
/** Words for the same that do come up in a thousand random texts. */
const SHORT_STAND_IN = /dummy|fake|your|todo|fixme|lorem|test|mock|demo|xxxx/i;
/** With more of them a text is random, whatever words came up in it. */
const BITS_OF_NO_WORDS = 50;
/** Passwords of examples, and those that programs come with. */
const EVERYBODYS =
  /^(?:pass(?:w(?:or)?d|phrase)?|pwd|secret|admin|user|root|guest|postgres|mysql|mongo|redis|rabbit(?:mq)?|letmein|welcome|p@ssw0rd)[\d!]{0,4}$/i;
const REFERENCE =
  /^(?:[$%@{<[(]|[!&*][a-z][a-z_-]*(?:$|[ /])|process\.|os\.|env[.:(]|ENV\[|secrets?\.|vault:|var\.|ssm:|op:\/\/|arn:|file:|https?:|\/\/)/i;
const REPEATED = /(.)\1{5,}|(.{2,4})\2{3,}/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Subresource integrity, password hashes, and digests with their kind before them. */
const NAMED_HASH =
  /^(?:sha(?:1|224|256|384|512)|md5|h1|blake\w*)[-:=]|^\$(?:2[abxy]?|argon2\w*|5|6|scrypt|pbkdf2[\w-]*)\$|^\{?(?:SSHA|SHA|bcrypt)\}?[:{]/i;
/** Of sixteen hex digits that were drawn, all but one in a thousand have more. */
const LEAST_ENTROPY = 2.7;
/** At this many, one name or literal in two hundred is taken for random. */
const LEAST_BITS = 15;
const HEX_DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** Whether a text only stands for a secret: an example, a variable, a mask. */
export function isStandIn(value: string): boolean {
  if (SHORT_STAND_IN.test(value) && bitsOfChance(value) < BITS_OF_NO_WORDS) return true;
  return (
    STAND_IN.test(value) || EVERYBODYS.test(value) || REFERENCE.test(value) || REPEATED.test(value)
  );
}

/** Whether a text is an identifier or a digest by its form. */
export function isIdentifierOrHash(value: string): boolean {
  return UUID.test(value) || NAMED_HASH.test(value);
}

export function isHexDigest(value: string): boolean {
  return HEX_DIGEST.test(value);
}

/** Shannon entropy in bits for each character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Whether nobody wrote a text by hand. */
export function looksRandom(value: string): boolean {
  return value.length >= 16 && entropy(value) >= LEAST_ENTROPY && bitsOfChance(value) >= LEAST_BITS;
}

/**
 * Whether a text may be a password that somebody chose: at least eight characters of three kinds,
 * no words with a mark between them.
 */
export function looksLikePassword(value: string): boolean {
  if (value.length < 8 || value.length > 128 || entropy(value) < 2.5) return false;
  const kinds = new Set(Array.from(value, (character) => kindOf(character.charCodeAt(0))));
  return kinds.size >= 3 && /\d/.test(value) && !isWords(value);
}

/** Words and small numbers, in any usual way of joining them. */
export function isWords(value: string): boolean {
  const parts = value.split(/[-_./: ]+/);
  if (parts.length === 1 && /\d/.test(value)) return false;
  return parts.every((part) => /^(?:[A-Za-z]*\d{0,4})$/.test(part) && !looksRandom(part));
}

/** Words in one case with marks between them, as names of variables are. */
export function isSpelledName(value: string): boolean {
  const isOneCase = value === value.toLowerCase() || value === value.toUpperCase();
  return isOneCase && /[-_.]/.test(value) && isWords(value);
}
