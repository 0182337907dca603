import { describe, expect, test } from "bun:test";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { BASE64, createDraw, HEX } from "../../support/secrets/draw.ts";

const random = createDraw(9).text;
const TOKEN = `npm${"_"}${random(36)}`;
const BEGIN = `-----BEGIN PRIVATE ${"KEY"}-----`;
const END = BEGIN.replace("BEGIN", "END");

test("findings come in the order of the text, one for each secret", async () => {
  const scanner = createSecretScanner();
  const url = `https://deploy:${random(20)}@git.acme.io/x.git`;
  const text = `a\n  token = "${TOKEN}"\nclone ${url}\n\npassword: "${TOKEN}"`;
  expect((await scanner.scanText(text, "a.ts")).findings).toEqual([
    { rule: "npm-token", file: "a.ts", line: 2, column: 12 },
    { rule: "address-password", file: "a.ts", line: 3, column: 7 },
    { rule: "npm-token", file: "a.ts", line: 5, column: 12 },
  ]);
});

test("texts of many parts are scanned to their end", async () => {
  const scanner = createSecretScanner();
  const line = `${"word ".repeat(19)}\n`;
  const url = `clone https://deploy:${random(20)}@git.acme.io/x.git\n`;
  const text = `${line.repeat(3000)}${url}${line.repeat(3000)}${url}`;
  const { findings } = await scanner.scanText(text, "notes.md");
  expect(findings.map(({ line: at }) => at)).toEqual([3001, 6002]);
});

test("what the library finds is told where it is, in whichever part of a text", async () => {
  const scanner = createSecretScanner();
  const token = `shp${"at_"}${random(32, HEX)}`;
  const line = `${"word ".repeat(19)}\n`;
  const text = `${line.repeat(1100)}  ${token}\n${line.repeat(1100)}${"x".repeat(120_000)}\n${token}`;
  expect((await scanner.scanText(text, "notes.md")).findings).toEqual([
    { rule: "shopify", file: "notes.md", line: 1101, column: 3 },
    { rule: "shopify", file: "notes.md", line: 2203, column: 1 },
  ]);
});

test("what only stands for a secret does not count where the library finds it, either", async () => {
  const scanner = createSecretScanner();
  const stand = `shp${"at_"}${"0123456789abcdef".repeat(2)}`;
  expect((await scanner.scanText(`see ${stand}`, "notes.md")).findings).toEqual([]);
});

test("a token of Vault's batches is found, which only the library knows", async () => {
  const scanner = createSecretScanner();
  const { findings } = await scanner.scanText(`hvr${"."}${random(95)}`, "a.ts");
  expect(findings).toMatchObject([{ rule: "hashicorp-vault", column: 1 }]);
});

describe("a private key", () => {
  const lines = (count: number, length = 64) =>
    Array.from({ length: count }, () => random(length, BASE64));
  const rowsOf = async (text: readonly string[]) => {
    const { findings } = await createSecretScanner().scanText(text.join("\n"), "a.txt");
    return findings.map(({ rule, line }) => `${rule} ${line}`);
  };

  test("without its beginning is found at its first line, however long it and its lines are", async () => {
    expect(await rowsOf(["some words", ...lines(190), END])).toEqual(["private-key 2"]);
    expect(await rowsOf(["some words", ...lines(10, 180), END])).toEqual(["private-key 2"]);
    const commented = [...lines(20), END].map((line) => ` # ${line}`);
    expect(await rowsOf(["some words", ...commented])).toEqual(["private-key 2"]);
  });

  test("without its end ends where no key goes on", async () => {
    const found = ["private-key 1", "npm-token 302"];
    expect(await rowsOf([BEGIN, ...lines(300), TOKEN])).toEqual(found);
    expect(await rowsOf([BEGIN, ...lines(20), "words of a text", TOKEN])).toEqual([
      "private-key 1",
      "npm-token 23",
    ]);
  });

  test("of PuTTY ends before what proves it", async () => {
    const key = [`Private-${"Lines"}: 20`, ...lines(20), `Private-${"MAC"}: ${random(64, HEX)}`];
    expect(await rowsOf([...key, TOKEN])).toEqual(["private-key 1", "npm-token 23"]);
  });
});

test("comments do not turn the scanner off", async () => {
  const scanner = createSecretScanner();
  const text = `// secretlint-disable\nconst url = "https://deploy:${random(20)}@git.acme.io/x.git";`;
  expect((await scanner.scanText(text, "a.ts")).findings).toHaveLength(1);
});

test("binary data, and what is over the limit, is named", async () => {
  const scanner = createSecretScanner();
  expect(await scanner.scanText(`a\0${TOKEN}`, "a.bin")).toEqual({
    findings: [],
    skipped: [{ file: "a.bin", reason: "binary" }],
  });
  expect(await scanner.scanText(`${TOKEN}\n${TOKEN}`, "a.txt", { limit: 41 })).toEqual({
    findings: [{ rule: "npm-token", file: "a.txt", line: 1, column: 1 }],
    skipped: [{ file: "a.txt", reason: "too_large" }],
  });
});

test("in lock files only tokens of a known form count", async () => {
  const scanner = createSecretScanner();
  const text = `"token": "${random(40)}",\n"resolved": "https://r.example/a?t=${TOKEN}"`;
  expect((await scanner.scanText(text, "package-lock.json")).findings).toEqual([
    { rule: "npm-token", file: "package-lock.json", line: 2, column: 36 },
  ]);
});

test("a password that somebody made up does not count in tests, a random one does", async () => {
  const scanner = createSecretScanner();
  const text = `password = "Tr1cky-one!"\npassword = "${random(32)}"`;
  expect((await scanner.scanText(text, "test/a.py")).findings.map(({ line }) => line)).toEqual([2]);
  expect((await scanner.scanText(text, "src/a.py")).findings.map(({ line }) => line)).toEqual([
    1, 2,
  ]);
});

/** A new one needs a piece by which it is told, or a rule of ours; see `known-formats.ts`. */
test("the preset has the rules it had", () => {
  const names = rules.map(({ meta }) => meta.id.replace("@secretlint/secretlint-rule-", ""));
  expect(names.sort()).toEqual([
    "1password",
    "anthropic",
    "aws",
    "basicauth",
    "cloudflare",
    "database-connection-string",
    "databricks",
    "docker",
    "figma",
    "filter-comments",
    "gcp",
    "github",
    "gitlab",
    "grafana",
    "groq",
    "hashicorp-vault",
    "huggingface",
    "linear",
    "notion",
    "npm",
    "openai",
    "privatekey",
    "sendgrid",
    "shopify",
    "slack",
    "stripe",
    "tailscale",
    "vercel",
  ]);
});

test.each([
  ["names", "password=".repeat(100_000)],
  ["quotes", 'secret="'.repeat(100_000)],
  ["beginnings of keys", BEGIN.repeat(30_000)],
  ["pieces of tokens", "eyJaaaaaaaaaaaa.".repeat(60_000)],
  ["encoded beginnings", "LS0tLS1CRUdJTi".repeat(60_000)],
  ["secrets on one line", `token="${random(32)}";`.repeat(20_000)],
  ["ends of keys", `${random(60)}\n${END}\n`.repeat(10_000)],
  ["ends of keys on one line", END.repeat(30_000)],
  ["beginnings of PuTTY's keys", "Private-Lines: 1\n".repeat(60_000)],
  ["keys in JSON", `"d":"${random(43)}","kty",`.repeat(15_000)],
  ["beginnings of addresses", "a://b:c".repeat(100_000)],
  ["names of settings", 'variable "password" { name: password\n'.repeat(20_000)],
  ["credentials", `https://u:${random(20)}@h.acme.io\n`.repeat(15_000)],
])("a text full of %s takes no longer for it", async (_what, text) => {
  const scanner = createSecretScanner();
  const { skipped } = await scanner.scanText(text, "a.env");
  expect(skipped).toEqual([]);
});
