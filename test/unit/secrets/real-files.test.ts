/** Files as tools write them, under their own names and under one that says nothing. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { BASE64, createDraw, HEX } from "../../support/secrets/draw.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const FIXTURES = join(ROOT, "test/fixtures/secrets");
const draw = createDraw(31);
const uuid = () => [8, 4, 4, 4, 12].map((length) => draw.text(length, HEX)).join("-");
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

async function findingsIn(text: string, ...files: readonly string[]) {
  const scanner = createSecretScanner();
  const scans = await Promise.all(files.map((file) => scanner.scanText(text, file)));
  return scans.flatMap(({ findings }) => findings);
}

test.each(readdirSync(FIXTURES))("%s, which a tool wrote, has none", async (fixture) => {
  const text = await Bun.file(join(FIXTURES, fixture)).text();
  const files = [fixture.replace(/\.txt$/, ""), "notes.txt", "src/versions.py"];
  expect(await findingsIn(text, ...files)).toEqual([]);
});

describe("none are in", () => {
  test("a program that was packed, and its source map", async () => {
    const built = await Bun.build({
      entrypoints: [join(ROOT, "src/main.ts")],
      minify: true,
      sourcemap: "external",
      target: "bun",
      external: ["*"],
    });
    expect(built.outputs.map(({ kind }) => kind)).toContain("sourcemap");
    for (const output of built.outputs) {
      expect(await findingsIn(await output.text(), "assets/app.js", "app.json")).toEqual([]);
    }
  });

  test("images, fonts and styles", async () => {
    const image = () => draw.text(2000, BASE64);
    const style = many(
      50,
      (index) => `.password-${index} { background: url("data:image/png;base64,${image()}"); }`,
    );
    const font = `@font-face { src: url(data:font/woff2;base64,${image()}); }`;
    const page = `<input type="password" name="token-1"><img src="data:image/gif;base64,${image()}">`;
    expect(await findingsIn(`${style}\n${font}`, "site.css")).toEqual([]);
    expect(await findingsIn(page, "index.html", "mail.txt")).toEqual([]);
  });

  test("public keys and certificates", async () => {
    const kinds = ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE REQUEST"];
    const pem = kinds
      .map((kind) => {
        const body = many(24, () => draw.text(64, BASE64));
        return `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
      })
      .join("\n");
    const ssh = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${draw.text(43, BASE64)} ann@acme`;
    const jwk = JSON.stringify({ kty: "RSA", e: "AQAB", n: draw.text(342), kid: draw.text(43) });
    expect(await findingsIn(`${pem}\n${ssh}\n${jwk}`, "keys.txt", "src/keys.ts")).toEqual([]);
  });

  test("identifiers and digests under telling names", async () => {
    const text = many(50, (index) =>
      [
        `token_id: ${uuid()}`,
        `secret-version: "${uuid()}"`,
        `password_hash = "$argon2id$v=19$m=65536,t=3,p=4$${draw.text(22)}$${draw.text(43)}"`,
        `api_key_sha256 = "sha256:${draw.text(64, HEX)}"`,
        `<script src="token.js" integrity="sha384-${draw.text(64, BASE64)}"></script>`,
        `"tokens/v${index}@1.2.${index}": "sha512-${draw.text(86, BASE64)}=="`,
        `secretRef: projects/acme-${index}/secrets/db-password-${index}/versions/3`,
      ].join("\n"),
    );
    expect(await findingsIn(text, "deploy/app.yaml", "src/a.ts", ".env")).toEqual([]);
  });

  test("translations", async () => {
    const sentences = [
      "Passwort vergessen?",
      "At least 12 characters, 1 digit and 1 symbol",
      "Ihr Token ist abgelaufen: melden Sie sich neu an",
      "Le mot de passe doit contenir 8 caractères",
      "パスワードを入力してください123",
      "{{count}} tokens left",
      "%{secret} wurde kopiert",
    ];
    const names = [
      "password",
      "password_hint",
      "secretTitle",
      "token.expired",
      "api-key",
      "passwd",
    ];
    const yaml = names.flatMap((name) => sentences.map((said) => `  ${name}: "${said}"`));
    const json = names.flatMap((name) => sentences.map((said) => `  "${name}": "${said}",`));
    expect(await findingsIn(yaml.join("\n"), "locales/de.yml")).toEqual([]);
    expect(await findingsIn(json.join("\n"), "i18n/fr.json")).toEqual([]);
  });

  test("templates of settings", async () => {
    const values = ["", "changeme", "<your-key>", "your_api_key_here", "xxxxxxxxxxxxxxxxxxxxxxxx"];
    const references = [
      "\u0024{DB_PASSWORD}",
      "{{ vault.password }}",
      "$(cat /run/secret)",
      "op://a/b/c",
    ];
    const names = ["API_KEY", "DB_PASSWORD", "SECRET_KEY_BASE", "AUTH_TOKEN"];
    const lines = names.flatMap((name) => [...values, ...references].map((it) => `${name}=${it}`));
    const urls = values.slice(1).map((it) => `URL=postgres://app:${it}@db.acme.io/main`);
    expect(await findingsIn([...lines, ...urls].join("\n"), ".env.example", ".env")).toEqual([]);
  });
});

test("none are in this checkout", async () => {
  const listed = Bun.spawn(["git", "ls-files", "-z"], { cwd: ROOT });
  const files = (await listed.stdout.text()).split("\0").filter((file) => file !== "");
  const scanner = createSecretScanner();
  const found = await Promise.all(
    files.map(async (file) => {
      const source = Bun.file(join(ROOT, file));
      if (!(await source.exists())) return [];
      return (await scanner.scanText(await source.text(), file)).findings;
    }),
  );
  expect(found.flat()).toEqual([]);
});
