import { expect, test } from "bun:test";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { TOKEN_RULES } from "../../../src/secrets/token-rules.ts";
import { seededSamples } from "../../support/secrets/corpus.ts";
import { seededPatch } from "../../support/secrets/patches.ts";
import { missedOf } from "../../support/secrets/recall.ts";

const SEED = 1;

test("finds every kind of secret, wherever a patch puts it", async () => {
  const samples = seededSamples(SEED, 2);
  const { patch, placed } = await seededPatch(samples, SEED);
  const scanner = createSecretScanner();
  const { findings, skipped } = await scanner.scanDiff(patch);
  expect(missedOf(placed, findings)).toEqual([]);
  expect(findings).toHaveLength(samples.length);
  expect(skipped).toEqual([]);
});

test("tokens are told by their form, whatever stands around them", async () => {
  const scanner = createSecretScanner();
  const tokens = seededSamples(SEED, 30).filter(({ kind }) => kind.startsWith("token: "));
  for (const { kind, secret } of tokens) {
    if (kind === "token: SQL Server connection") continue;
    const { findings } = await scanner.scanText(`said ${secret} twice`, "a.ts");
    expect({ kind, found: findings.length }).toEqual({ kind, found: 1 });
    expect(["generic-secret", "password"]).not.toContain(findings[0]?.rule);
  }
  const pieces = TOKEN_RULES.flatMap(({ at }) => at);
  const texts = tokens.map(({ secret }) => secret).join("\n");
  expect(pieces.filter((piece) => !texts.includes(piece))).toEqual([]);
});

test("a token is found behind any number of beginnings of its kind, and behind a stand-in", async () => {
  const scanner = createSecretScanner();
  const tokens = seededSamples(SEED, 1).filter(({ kind }) => kind.startsWith("token: "));
  for (const { at, back = 0 } of TOKEN_RULES) {
    const [begin = ""] = at;
    const token = tokens.find(({ secret }) => secret.startsWith(begin))?.secret;
    if (back > 0 || token === undefined) continue;
    for (const before of [`${begin}-`.repeat(2000), `${begin}your-${begin}example-key-`]) {
      const { findings } = await scanner.scanText(before + token, "a.ts");
      const columns = findings.map(({ column }) => column);
      expect({ begin, columns }).toEqual({ begin, columns: [before.length + 1] });
    }
  }
});

test("what it finds never holds the secret", async () => {
  const scanner = createSecretScanner();
  for (const { text, file, secret } of seededSamples(7)) {
    const said = JSON.stringify(await scanner.scanText(text, file));
    expect(said).not.toContain(secret.slice(0, 24));
  }
});
