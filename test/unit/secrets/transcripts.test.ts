/** Secrets in what agents said and did, which is of any file, and in strings of JSON within strings. */
import { expect, test } from "bun:test";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { seededSamples } from "../../support/secrets/corpus.ts";

const NAME = "transcript.jsonl";
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "as it stands": (text) => text,
  "among other lines": (text) => `before\n${text}\nafter\n`,
  "with line numbers": (text) => text.replace(/^/gm, "    12→"),
  "in JSON": (text) => JSON.stringify({ path: "a", content: text }),
  "in JSON within JSON": (text) => JSON.stringify({ arguments: JSON.stringify({ content: text }) }),
  "in a line of a log": (text) => `2026-12-01 wrote ${JSON.stringify(text)} to a file`,
};

for (const [form, written] of Object.entries(FORMS)) {
  test(`weakness 24 of sessions: secrets of every kind are taken out ${form}`, async () => {
    const scanner = createSecretScanner();
    const left: string[] = [];
    for (const { kind, text, secret } of seededSamples(11)) {
      const redacted = await scanner.redact(written(text), NAME);
      const parts = secret.split("\n").filter((part) => part.length >= 8);
      if (parts.some((part) => redacted.includes(part))) left.push(kind);
    }
    expect(left).toEqual([]);
  });
}

const LETTERS = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA3";
const HEX_32 = "3f9a1c7e5b2d8064af13c59e7d20b846";

test("what stands around a secret in escapes stays as it is, to the character", async () => {
  const scanner = createSecretScanner();
  const value = "Kx8vQ2mZr7Tp4WcN9bLs";
  const escaped = (inner: string) =>
    JSON.stringify({ a: JSON.stringify(`first "line"\nAPI_KEY="${inner}"\n\ttab`), b: "\\\\" });
  expect(await scanner.redact(escaped(value), NAME)).toBe(
    escaped("VALUE").replace("VALUE", "[redacted: generic-secret]"),
  );
});

test.each([
  "token: internal/workflow/runtime.go",
  "password = config.password_of(user)",
  "export TOKEN=$(cat token.txt)",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it.
  "API_KEY=${API_KEY}",
  "const token = await readToken();",
  "the token --token-file takes a path",
  '{"max_tokens": 4096, "token": "identifier"}',
  "    12→  password: string;",
  "max_tokens: 128000",
  "login as dev with password authentication",
])("weakness 24 of sessions: %p is no secret", async (text) => {
  const scanner = createSecretScanner();
  for (const form of [text, JSON.stringify({ text })]) {
    expect(await scanner.redact(form, NAME)).toBe(form);
  }
});

test("any number of backslashes costs no more than their length", async () => {
  const scanner = createSecretScanner();
  const text = `token "${"\\".repeat(2_000_000)}" \\"`;
  const before = performance.now();
  await scanner.redact(text, NAME);
  expect(performance.now() - before).toBeLessThan(2000);
});

test.each([
  [
    "behind the escape of a line end",
    (secret: string) => `it printed\\n${secret}\\n`,
    `ghp_${LETTERS}`,
  ],
  [
    "of a form that is told by its end, behind one",
    (secret: string) => `it printed\\n${secret}`,
    `${HEX_32}-us12`,
  ],
  [
    "of a header without quotes",
    (secret: string) => `curl -H X-Auth-Token:${secret}\n`,
    LETTERS.slice(0, 20),
  ],
  [
    "of an address with the longest login",
    (secret: string) => `psql postgres://${"u".repeat(100)}:${secret}@db.acme.io/x`,
    `${LETTERS}${LETTERS}${LETTERS}${LETTERS}${LETTERS}`,
  ],
])("a secret %s is taken out", async (_where, textWith, secret) => {
  const redacted = await createSecretScanner().redact(textWith(secret), NAME);
  expect(redacted).not.toContain(secret.slice(4, 20));
  expect(redacted).toContain("[redacted: ");
});
