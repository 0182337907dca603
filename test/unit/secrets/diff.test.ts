import { expect, test } from "bun:test";
import { readPatch } from "../../../src/secrets/patch.ts";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { compileProgram } from "../../support/compile.ts";
import { testRepository } from "../../support/repository.ts";
import { seededSamples } from "../../support/secrets/corpus.ts";
import { createDraw } from "../../support/secrets/draw.ts";
import { tempDir } from "../../support/temp.ts";

const random = createDraw(5).text;
const NPM = `npm${"_"}${random(36)}`;
const OLD = `npm${"_"}${random(36)}`;
const KEY = seededSamples(3).find(({ kind }) => kind === "private key: RSA")?.text ?? "";

type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** The patch from one state of a repository to another, as git makes it. */
async function gitDiff(before: Files, after: Files, ...options: string[]): Promise<string> {
  await using repo = await testRepository();
  await repo.commit("before", before);
  await repo.write(after);
  await repo.git("add", "-A");
  return await repo.git("diff", "--cached", "-M", ...options);
}

const filler = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");

test("added lines are scanned, with their numbers in the new file", async () => {
  const before = `${filler(20)}\nold ${OLD}\n${filler(20)}\n`;
  const after = `first\n${before}\nnew ${NPM}\n`;
  const patch = await gitDiff({ "src/a.ts": before }, { "src/a.ts": after });
  const scanner = createSecretScanner();
  expect(await scanner.scanDiff(patch)).toEqual({
    findings: [{ rule: "npm-token", file: "src/a.ts", line: 44, column: 5 }],
    skipped: [],
  });
});

test("removed lines, lines around a change, and deleted files do not count", async () => {
  const patch = await gitDiff(
    { a: `x ${OLD}\ny ${NPM}\nz\n`, gone: NPM, bin: new Uint8Array([0, 1]) },
    { a: `y ${NPM}\nz\nmore\n`, gone: null, bin: null },
  );
  expect(patch).toContain(` y ${NPM}`);
  const scanner = createSecretScanner();
  expect(await scanner.scanDiff(patch)).toEqual({ findings: [], skipped: [] });
});

test("a key is found where its first added line is, whatever was there before", async () => {
  const [begin = "", ...rest] = KEY.split("\n");
  const patch = await gitDiff(
    { "key.pem": `${begin}\n` },
    { "key.pem": [begin, ...rest].join("\n") },
  );
  const scanner = createSecretScanner();
  expect((await scanner.scanDiff(patch)).findings).toEqual([
    { rule: "private-key", file: "key.pem", line: 2, column: 1 },
  ]);
});

test("names are those of the new files, however git writes them", async () => {
  const names = ["with blank.txt", "caf\u00e9.txt", 'quo"te.txt', "b/b.txt", "tab\there", "-dash"];
  const patch = await gitDiff(
    { "old name.txt": filler(30) },
    {
      ...Object.fromEntries(names.map((name) => [name, `${NPM}\n`])),
      "old name.txt": null,
      "new name.txt": `${filler(30)}\n${NPM}`,
    },
  );
  const scanner = createSecretScanner();
  const { findings } = await scanner.scanDiff(patch);
  expect(findings.map(({ file }) => file).sort()).toEqual([...names, "new name.txt"].sort());
});

test("content that looks like a header is content", async () => {
  const content = `++ b/other\n-- a/other\n@@ -1 +1 @@\ndiff --git a/x b/x\n${NPM}\n`;
  const patch = await gitDiff({ a: "-- a/before\n" }, { a: content });
  const scanner = createSecretScanner();
  expect((await scanner.scanDiff(patch)).findings).toEqual([
    { rule: "npm-token", file: "a", line: 5, column: 1 },
  ]);
});

test("what is not text, and what is over the limit, is named", async () => {
  const patch = await gitDiff(
    {},
    {
      "a.bin": new Uint8Array([0, 1, 2]),
      "b c.bin": new Uint8Array([0, 1, 3]),
      "d.txt": `${"x ".repeat(50)}\n${NPM}\n`,
      "e.txt": `${NPM}\n`,
    },
  );
  const scanner = createSecretScanner();
  expect(await scanner.scanDiff(patch, { limit: 90 })).toEqual({
    findings: [],
    skipped: [
      { file: "a.bin", reason: "binary" },
      { file: "b c.bin", reason: "binary" },
      { file: "d.txt", reason: "too_large" },
      { file: "e.txt", reason: "too_large" },
    ],
  });
});

test("binary files are unpacked and searched where the patch holds them whole", async () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
  const noise = createDraw(8).text(20_000, "\0\x01\x02\xff\xfeabc\n");
  const utf16 = new Uint8Array(Buffer.from(`\ufeffa\nkey ${NPM}\n`, "utf16le"));
  const patch = await gitDiff(
    { "changed.bin": bytes(`\0${OLD}`), "delta.bin": bytes(noise), "was.bin": bytes(noise) },
    {
      "changed.bin": bytes("\0\x01"),
      "delta.bin": bytes(`${noise}${NPM}`),
      "was.bin": null,
      "is now.bin": bytes(`${noise}.`),
      "new.bin": bytes(`\0\0\n\n${NPM}\0`),
      "windows.env": utf16,
    },
    "--binary",
  );
  const scanner = createSecretScanner();
  expect(await scanner.scanDiff(patch)).toEqual({
    findings: [
      { rule: "npm-token", file: "new.bin", line: 3, column: 1 },
      { rule: "npm-token", file: "windows.env", line: 2, column: 5 },
    ],
    skipped: [
      { file: "delta.bin", reason: "binary" },
      { file: "is now.bin", reason: "binary" },
    ],
  });
});

test("a torn or swollen binary part is named, and hides nothing that comes after", async () => {
  const big = new Uint8Array(20_000);
  const patch = await gitDiff({}, { "a.bin": big, "b.txt": `${NPM}\n` }, "--binary");
  const scanner = createSecretScanner();
  const searched = [{ rule: "npm-token", file: "b.txt", line: 1, column: 1 }];
  const torn = patch
    .replace(/(literal \d+\n)(.{10})/, "$1$2\t")
    .replace(/\n\nliteral 0\n.*\n\n/, "\n");
  for (const [text, reason] of [
    [torn, "binary"],
    [patch.replace("literal 20000", "literal 19999"), "binary"],
    [patch.replace("literal 20000", "literal 20001"), "binary"],
  ] as const) {
    expect(text).not.toBe(patch);
    expect(await scanner.scanDiff(text)).toEqual({
      findings: searched,
      skipped: [{ file: "a.bin", reason }],
    });
  }
  expect(await scanner.scanDiff(patch, { limit: 19_999 })).toEqual({
    findings: searched,
    skipped: [{ file: "a.bin", reason: "too_large" }],
  });
});

test("what was unpacked in vain counts towards the limit, too", async () => {
  const big = new Uint8Array(20_000);
  const patch = await gitDiff({}, { "a.bin": big, "b.bin": big }, "--binary");
  const swollen = patch.replaceAll("literal 20000", "literal 20001");
  const reasons = (most: number) => [...readPatch(swollen, most)].map(({ unread }) => unread);
  expect(reasons(40_002)).toEqual(["binary", "binary"]);
  expect(reasons(40_001)).toEqual(["binary", "too_large"]);
});

test("patches of diff have no line of git before each file, those of merges are named", async () => {
  const added = (file: string) => `--- a/${file}\n+++ b/${file}\n@@ -0,0 +1 @@\n+${NPM}\n`;
  const merge = `diff --cc "b\\tc"\nindex 1,2..3\n--- a/d\n+++ b/d\n@@@ -1,1 -1,1 +1,2 @@@\n++${NPM}\n`;
  const scanner = createSecretScanner();
  expect(await scanner.scanDiff(`${added("a")}${added("e")}${merge}`)).toEqual({
    findings: [
      { rule: "npm-token", file: "a", line: 1, column: 1 },
      { rule: "npm-token", file: "e", line: 1, column: 1 },
    ],
    skipped: [{ file: "b\tc", reason: "merge" }],
  });
});

test("an empty patch has nothing, and torn ones do no harm", () => {
  expect([...readPatch("")]).toEqual([]);
  expect([...readPatch("diff --git a/x b/x\n+++ b/x\n@@ -0,0 +1,9 @@\n+one")]).toEqual([
    { file: "x", text: "one", lines: [{ number: 1, isAdded: true }] },
  ]);
  expect([...readPatch("no patch at all\n+++\n@@ nothing")]).toEqual([]);
});

test("scans compiled as it does from source, and prints nothing of its own", async () => {
  await using dir = await tempDir();
  const program = await compileProgram("test/support/secrets-program.ts", dir);
  const secrets = seededSamples(11);
  const files = Object.fromEntries(secrets.map(({ text, file }, n) => [`${n}/${file}`, text]));
  const patch = await gitDiff({}, files);
  const child = Bun.spawn([program], {
    env: { HOME: dir.path, DEBUG: "*" },
    stdin: new Blob([patch]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const scanner = createSecretScanner();
  expect(JSON.parse(stdout)).toEqual(await scanner.scanDiff(patch));
  expect(JSON.parse(stdout).findings).toHaveLength(secrets.length);
  for (const { secret } of secrets) expect(stdout + stderr).not.toContain(secret.slice(0, 24));
});

test("every line of a patch is told as it is in the new file", async () => {
  const words = ["a", "b", "", "--- a", "+++ b", "@@ -1 +1 @@", "\\ No newline", " ", "c\r", "é"];
  const draw = createDraw(77);
  const someLines = () => Array.from({ length: 40 }, () => words[draw.between(0, 9)]);
  for (let round = 0; round < 10; round += 1) {
    const before = someLines();
    const after = before.flatMap((line) => (draw.between(0, 3) === 0 ? [line, "new"] : [line]));
    const patch = await gitDiff(
      { f: before.join("\n") },
      { f: `${after.slice(5).join("\n")}${round % 2 === 0 ? "\n" : ""}` },
    );
    const [file] = [...readPatch(patch)];
    const texts = file?.text.split("\n") ?? [];
    const rows = file?.lines.map((line, row) => [line?.number, texts[row], line?.isAdded]) ?? [];
    const told = rows.filter(([number]) => number !== undefined);
    expect(told.map(([, text]) => text)).toEqual(
      told.map(([number]) => after[5 + Number(number) - 1]),
    );
    const added = patch.split("\n").filter((line) => /^\+(?!\+\+ b\/f$)/.test(line));
    expect(told.filter(([, , isAdded]) => isAdded)).toHaveLength(added.length);
  }
});
