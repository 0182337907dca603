import { expect, test } from "bun:test";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { seededSecrets } from "../../support/seeded-secrets.ts";

const SEEDS = [1, 22, 333, 4444, 55_555];

test.each(seededSecrets(0).map(({ what }, index) => [what, index] as const))(
  "finds a secret of the kind: %s",
  async (_what, index) => {
    const scanner = await createSecretScanner();
    for (const seed of SEEDS) {
      const { file, text } = seededSecrets(seed)[index] ?? { file: "", text: "" };
      const { findings } = await scanner.scanText(text, file);
      expect({ seed, found: findings.length }).toEqual({ seed, found: 1 });
    }
  },
);

test("what it finds never holds the secret", async () => {
  const scanner = await createSecretScanner();
  for (const { text, file, secret } of seededSecrets(7)) {
    const said = JSON.stringify(await scanner.scanText(text, file));
    expect(said).not.toContain(secret.slice(0, 24));
  }
});
