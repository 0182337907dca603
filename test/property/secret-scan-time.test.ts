/** No text that a worker writes may hold up the gate: time grows with the length and no faster. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSecretScanner } from "../../src/secrets/scanner.ts";
import { TOKEN_RULES } from "../../src/secrets/token-rules.ts";
import { createDraw, HEX } from "../support/secrets/draw.ts";

const SIZES = [8_000, 40_000, 200_000];
const GROWTH = 5;
/** How much faster than the length the time may seem to grow, on a machine with other work. */
const NOISE = 2.5;
/** Shorter times say nothing, in milliseconds. */
const LEAST_TIME = 20;
/** For the longest text, in milliseconds: what a rule does with one piece is bounded, but not small. */
const MOST_TIME = 1000;

const KEY = `PRIVATE ${"KEY"}`;
const TOKENS = [...new Set(TOKEN_RULES.flatMap(({ at }) => at)), "LS0tLS1CRUdJTi"];
const NAMES = [
  "password",
  "api_key",
  "private-key",
  "account_key",
  "bearer",
  "token_id",
  "--token",
];
const ASSIGNING = [
  ...["password=", 'secret="', "token='", "secret=`", "token=\"secret='token=`", "token: string ="],
  ...["token:[]", "password:\n", "token ??", 'token("', 'token", ', 'name: token",\nvalue:'],
  ...['"token" {', '"token" { default =', "token: |\n ", "<token>", "token ", "ENV token "],
  ...["?token=aaaaaaaa", "password=$", "token=<<<<<<<<", "secret='{{ %s *** "],
];
const ADDRESSES = [
  "a://",
  "a.b-",
  "a://b:c",
  "a://:cccccc@",
  "a://b:cccccc@c",
  "aaaaaaaaaaaaaaaa:",
];
const KEYS = [
  ...[
    `-----BEGIN ${KEY}-----`,
    "-----BEGIN ",
    "-----BEGIN A ",
    "A ",
    `---- BEGIN SSH2 ${KEY} ----`,
  ],
  ...[`\n-----END ${KEY}-----`, "\n-----END ", "\n-----END A ", "Private-Lines: 1", "----"],
  ...['"kty","d":"', '"d":"', "\\", "\\\\n", "\n# ", "\na: ", "+/", "\nAAAAAAAAAAAAAAAA"],
];
const KNOWN = [
  ...["shpat_", "glsa_", "glc_", "lin_api_", "ntn_", "ops_ey", "hvr.", "vcp_", "dapi"],
  ...["dckr_pat_", "figd_", "cfk_", "cfut_", "tskey-", "tskey-auth-"],
];
const JWT = ["-eyJ", "eyJ.", "eyJaaaaaaaaaa.", "eyJaaaaaaaaaa.-", "eyJaaaaaaaaaa.eyJaaaaaaaaaa-"];
const LONG = [
  ...["\\", " ", "\n#", "a-", "\\na-", "+"].map(
    (it) => `-----BEGIN ${KEY}-----\n${it.repeat(15_000 / it.length)}`,
  ),
  ...["<", "a", "${", "a1-"].map((it) => `secret="${it.repeat(170)}"\n`),
  ...["+", "A", "\\", " "].map((it) => `${it.repeat(190)}x\n-----END ${KEY}-----\n`),
  ...["a", "-", "a."].map((it) => `${it.repeat(20)}token${it.repeat(20)}=`),
  `${"a".repeat(31)}://${"b".repeat(99)}:${"c".repeat(199)}`,
  `"kty" ${"x".repeat(5000)}${`"d":"${"A1b2".repeat(12)}"`.repeat(4000)}`,
  `"token" {${" default".repeat(36)}`,
];
const STAND_INS = ["example", "your", "change", "my-", "x", "<", "${", "pass", "[", "a1b2-"];
const FRAGMENTS = [
  ...[
    ...TOKENS,
    ...NAMES,
    ...ASSIGNING,
    ...ADDRESSES,
    ...KEYS,
    ...KNOWN,
    ...JWT,
    ...LONG,
    ...STAND_INS,
  ],
];
const BEHIND = ["-", "\n", "a1B2"];

const PATCH = [
  ...["diff --git a/a b/a\n", 'diff --git "a/\\303" "b/\\303"\n', "diff --git a", "diff --cc a\n"],
  ...[
    "--- a/a\n",
    "+++ b/a\n",
    "+++ b/a\t",
    "rename to a\n",
    "@@ -1 +1 @@\n+a\n",
    "@@ -1,9 +1,9 @@\n",
  ],
  ...["@@ -1 +1", "\\ No newline\n", "+a\n", " a\n", "-a\n", "Binary files a and b differ\n"],
  ...[
    "GIT binary patch\nliteral 9\n",
    "diff --git a/a b/a\nGIT binary patch\nliteral 9\nzabcde\n\n",
  ],
];

type Scan = (text: string) => Promise<unknown>;

/** Processor time in milliseconds. */
async function timeOf(scan: Scan, text: string): Promise<number> {
  const before = process.cpuUsage();
  await scan(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function expectLinear(scan: Scan, piece: string, sizes = SIZES): Promise<void> {
  let before = LEAST_TIME;
  for (const size of sizes) {
    const time = await timeOf(scan, piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
    const most = Math.min(before * GROWTH * NOISE, MOST_TIME);
    expect({ size, time: time > most ? time : "in line" }).toEqual({ size, time: "in line" });
    before = Math.max(LEAST_TIME, time);
  }
}

const scanner = createSecretScanner();
const scanText: Scan = (text) => scanner.scanText(text, "a.env");

test.each(FRAGMENTS.map((fragment) => [JSON.stringify(fragment).slice(0, 50), fragment] as const))(
  "%s, again and again",
  async (_name, fragment) => {
    await expectLinear(scanText, fragment);
    for (const behind of BEHIND) await expectLinear(scanText, fragment + behind);
  },
  60_000,
);

test.each(PATCH)(
  "%j, again and again in a patch",
  async (fragment) => {
    await expectLinear((text) => scanner.scanDiff(text), fragment);
  },
  60_000,
);

test("one secret after another, of a kind that the library finds", async () => {
  const draw = createDraw(12);
  const lines = Array.from({ length: 25_000 }, () => `shp${"at_"}${draw.text(32, HEX)}\n`);
  await expectLinear(scanText, lines.join(""));
}, 60_000);

test("addresses without a login, as a list of downloads has them", async () => {
  await expectLinear(scanText, "https://downloads.acme.dev/of/a/path x\n", [200_000, 1e6, 5e6]);
}, 60_000);

test("several fragments in turn", async () => {
  const pieces = fc
    .array(fc.constantFrom(...FRAGMENTS, ...BEHIND), { minLength: 2, maxLength: 6 })
    .map((some) => some.join(""));
  await fc.assert(
    fc.asyncProperty(pieces, (piece) => expectLinear(scanText, piece)),
    { numRuns: 50, endOnFailure: true },
  );
}, 120_000);
