/** What looks like a secret to a simple rule, and is none. */
import { expect, test } from "bun:test";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { BASE64, createDraw, HEX } from "../../support/secrets/draw.ts";

const random = createDraw(20_261_202).text;
const hex = (length: number) => random(length, HEX);
const sri = () => `sha512-${random(86, BASE64)}==`;
const times = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

const LOCK_FILES: Record<string, string> = {
  "package-lock.json": times(
    200,
    (n) => `"node_modules/token-${n}": { "version": "1.0.${n}", "integrity": "${sri()}" },`,
  ),
  "web/yarn.lock": times(
    200,
    (n) =>
      `"auth-token@^${n}":\n  resolved "https://r.example/a.tgz#${hex(40)}"\n  integrity ${sri()}`,
  ),
  "pnpm-lock.yaml": times(
    200,
    (n) => `  /@secretlint/core@${n}:\n    resolution: {integrity: ${sri()}}`,
  ),
  "go.sum": times(200, (n) => `example.com/secret/token v1.${n}.0 h1:${random(43, BASE64)}=`),
  "Cargo.lock": times(
    200,
    (n) => `[[package]]\nname = "secret-token"\nversion = "0.${n}.0"\nchecksum = "${hex(64)}"`,
  ),
  "poetry.lock": times(
    200,
    (n) => `{file = "tokenizers-0.${n}.tar.gz", hash = "sha256:${hex(64)}"},`,
  ),
  "uv.lock": times(
    200,
    (n) => `{ url = "https://f.example/t-${n}.whl", hash = "sha256:${hex(64)}" },`,
  ),
  "composer.lock": times(
    200,
    (n) => `"name": "acme/token-${n}", "reference": "${hex(40)}", "shasum": "${hex(40)}",`,
  ),
  "Gemfile.lock": times(200, (n) => `    devise-token (${n}.0)\n  jwt (2.${n}) sha256=${hex(64)}`),
  "Pipfile.lock": times(200, () => `"sha256:${hex(64)}",`),
  "gradle.lockfile": times(200, (n) => `com.acme:token:${n}=compileClasspath`),
  "sub/packages.lock.json": times(
    200,
    (n) => `"Acme.Secrets": { "resolved": "1.${n}", "contentHash": "${random(86, BASE64)}==" },`,
  ),
};

test.each(Object.keys(LOCK_FILES))("a lock file, %s, has no secrets", async (file) => {
  const scanner = createSecretScanner();
  expect((await scanner.scanText(LOCK_FILES[file] ?? "", file)).findings).toEqual([]);
});

const KEY = `-----BEGIN RSA PRIVATE ${"KEY"}-----`;
const KEY_END = KEY.replace("BEGIN", "END");
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;

const LINES: Record<string, readonly string[]> = {
  "src/app.ts": [
    'const apiKey = "your-api-key-here-1234567890";',
    'const token = "<YOUR_TOKEN>";',
    "const token = process.env.AUTH_TOKEN ?? readToken(options);",
    `const secret = "\${prefix}-\${randomBytes(16)}";`,
    'const password = "changeme123!";',
    'const password = "password123";',
    'const password = "P@ssw0rd";',
    "const accessToken = await oauth2Client.getAccessToken(user1Id);",
    "const tokenCount = 1234567890123456;",
    'const tokenUrl = "https://auth.acme.io/oauth2/v1/token";',
    'headers["X-Auth-Token"] = "x-request-id-header-v2";',
    'if (secretName === "my-app-secret-v2") return;',
    'const secretPath = "/run/secrets/db_password_2";',
    'type: "password", autocomplete: "current-password"',
    'label: "Password", placeholder: "At least 8 characters, 1 digit"',
    'throw new Error("token expired: sign in again");',
    `const tokenHash = "${hex(64)}";`,
    `const secretVersion = "${uuid}";`,
    `const clientSecretId = "${uuid}";`,
    `const passwordHash = "$2b$10$${random(53, BASE64)}";`,
    `const credential = "sha256:${hex(64)}";`,
    `import token from "https://cdn.example/token@1.2.3?integrity=${sri()}";`,
    `const commit = "${hex(40)}";`,
    "export const isTokenKind = (kind: SyntaxKind): kind is TokenSyntaxKind => kind >= FirstToken;",
    'const key = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";',
    `const aws = "AK${"IA"}IOSFODNN7EXAMPLE";`,
    `const key = "sk-${"ant"}-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";`,
    `const key = "sk-${"proj"}-...";`,
    `const key = "gh${"p_"}${"0".repeat(36)}";`,
    'const db = "postgres://postgres:postgres@localhost:5432/app";',
    `const db = "postgres://app:\${password}@db.acme.io/app";`,
    'const url = "https://user:password@example.com/";',
    'const url = "http://me:s3cretOne9@127.0.0.1:8080/";',
  ],
  ".env.example": [
    "API_KEY=",
    "DB_PASSWORD=changeme",
    "TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx",
    "SECRET_KEY=<secret>",
  ],
  "docs/config.ts": [`algolia: { apiKey: "${hex(32)}", indexName: "acme", appId: "A1B2C3D4E5" }`],
  "deploy/app.yaml": [
    "secretName: db-credentials-v2",
    "  passwordSecretRef: { name: app-db-2, key: password }",
    "  token: \u0024{{ secrets.DEPLOY_TOKEN }}",
    "  password: '{{ vault_db_password_1 }}'",
    `  image: acme/token-service@sha256:${hex(64)}`,
    "  tokenExpirationSeconds: 86400",
  ],
  "run.sh": [
    "tool --token $TOKEN --password-file format_1_1_AES256.yml",
    'curl -H "Authorization: Bearer $GITHUB_TOKEN"',
    'SECRET="$(cat /run/secrets/token)"',
    `credential=${Buffer.from("a-git-token").toString("base64")}`,
    `export API_TOKEN=${Buffer.from("user:changeme-now").toString("base64")}`,
  ],
  "test/login_test.py": ['password = "Sup3rSecret!pw"', 'login("ann", password="Tr1cky-one")'],
  "test/keys.test.ts": [
    `const pem = "${KEY}\\nMIIEpAIBAAKCAQEA...\\n${KEY_END}";`,
    `const pem = "${KEY}\\n${random(60, BASE64)}...\\n${KEY_END}";`,
    `const pem = \`${KEY}\nfake key for tests\n${KEY_END}\`;`,
    `${KEY}\n${"A".repeat(64)}\n${"A".repeat(64)}\n${KEY_END}`,
    `expect(text).toContain("${KEY}");`,
  ],
  "cert.pem": [
    `-----BEGIN CERTIFICATE-----\n${times(20, () => random(64, BASE64))}\n-----END CERTIFICATE-----`,
  ],
  "dist/app.min.js": [
    `!function(){var e={token:"${random(40)}",password:"${random(12)}1aB"};${"x=1;".repeat(2000)}}()`,
  ],
  "bundle.js": [`var a=1;${"b=2;".repeat(300)}secret="${random(40)}"`],
  ".yarn/releases/yarn.cjs": [`password:n="A1b-${random(8)}"`],
  "logo.svg": [`<path token="${random(64, BASE64)}"/>`],
};

test.each(
  Object.entries(LINES).flatMap(([file, lines]) => lines.map((line) => [file, line] as const)),
)("%s: %p", async (file, line) => {
  const scanner = createSecretScanner();
  expect((await scanner.scanText(`${line}\n`, file)).findings).toEqual([]);
});
