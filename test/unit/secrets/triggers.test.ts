/** The quick look before the rules hides nothing from them. */
import { expect, test } from "bun:test";
import { findAddresses } from "../../../src/secrets/addresses.ts";
import { createKnownFormats } from "../../../src/secrets/known-formats.ts";
import { findPrivateKeys } from "../../../src/secrets/private-keys.ts";
import { TOKEN_RULES } from "../../../src/secrets/token-rules.ts";
import { createTokenRules } from "../../../src/secrets/tokens.ts";
import { createTriggers } from "../../../src/secrets/triggers.ts";
import { random } from "../../support/labs/random.ts";
import { seededSamples } from "../../support/secrets/corpus.ts";

const lookForTriggers = createTriggers();
const findTokens = createTokenRules();
const NAME =
  /passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|master[_-]?key|credential|bearer/gi;
const AROUND = ["", " ", "é", "x", "_", "🦀 ", "\n", "=", '"', "secre", "apI_", "://", "-----"];

/** Every sample whole, cut at either end, and with something before and behind it. */
function texts(): readonly string[] {
  const draw = random(7);
  return seededSamples(3, 3).flatMap(({ text }) => {
    const cut = draw.below(text.length);
    const upper = text.toUpperCase();
    const parts = [text, text.slice(cut), text.slice(0, cut), upper];
    return [...parts, ...parts.map((part) => `${draw.pick(AROUND)}${part}${draw.pick(AROUND)}`)];
  });
}

test("what a rule finds in a text, the look at it says to look for", async () => {
  const findKnownFormats = createKnownFormats();
  const hidden: object[] = [];
  const counts = { keys: 0, tokens: 0, addresses: 0, known: 0, names: 0 };
  for (const text of texts()) {
    const triggers = lookForTriggers(text);
    const found = {
      keys: findPrivateKeys(text).length > 0,
      tokens: findTokens(text).length > 0,
      addresses: findAddresses(text).length > 0,
      known: (await findKnownFormats(text, "t.jsonl")).length > 0,
    };
    for (const kind of ["keys", "tokens", "addresses", "known"] as const) {
      if (!found[kind]) continue;
      counts[kind] += 1;
      if (!triggers[kind]) hidden.push({ kind, text });
    }
    const names = [...text.matchAll(NAME)].map(({ 0: name, index }) => ({
      start: index,
      end: index + name.length,
    }));
    counts.names += names.length;
    expect(triggers.names).toEqual(names);
  }
  expect(hidden).toEqual([]);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});

test("names that overlap count as the first of them", () => {
  expect(lookForTriggers("secretoken ToKeN").names).toEqual([
    { start: 0, end: 6 },
    { start: 11, end: 16 },
  ]);
});

test.each(TOKEN_RULES.flatMap(({ at, back }) => (back === undefined ? at : [])))(
  "%s inside of a word begins no token",
  (piece) => {
    const body = "0123abcdef".repeat(10);
    expect(lookForTriggers(`x ${piece}${body}`).tokens).toBe(true);
    expect(lookForTriggers(`a${piece}`).tokens).toBe(false);
  },
);
