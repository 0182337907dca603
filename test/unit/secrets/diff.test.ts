import { expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createGit } from "../../../src/platform/git/runner.ts";
import { readPatch } from "../../../src/secrets/patch.ts";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { compileProgram } from "../../support/compile.ts";
import { seededSecrets, seededTexts } from "../../support/seeded-secrets.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const random = seededTexts(5);
const NPM = `npm${"_"}${random(36)}`;
const OLD = `npm${"_"}${random(36)}`;
const KEY = seededSecrets(3).find(({ what }) => what === "rsa")?.text ?? "";

/** The patch from one state of a folder to another, as git makes it. */
async function gitDiff(
  dir: TempDir,
  before: Readonly<Record<string, string | Uint8Array>>,
  after: Readonly<Record<string, string | Uint8Array | undefined>>,
): Promise<string> {
  const git = createGit({ PATH: process.env.PATH ?? "", HOME: dir.path });
  const run = (...args: string[]) => git.run(args, { cwd: dir.path });
  const write = async (files: Readonly<Record<string, string | Uint8Array | undefined>>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dir.join(path, ".."), { recursive: true });
      if (content === undefined) await rm(dir.join(path));
      else await writeFile(dir.join(path), content);
    }
    await run("add", "-A");
  };
  await run("init", "-q");
  await write(before);
  const tree = (await run("write-tree")).stdout.trim();
  await write(after);
  return (await run("diff", "--cached", "-M", tree)).stdout;
}

const filler = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");

test("added lines are scanned, with their numbers in the new file", async () => {
  await using dir = await tempDir();
  const before = `${filler(20)}\nold ${OLD}\n${filler(20)}\n`;
  const after = `first\n${before}\nnew ${NPM}\n`;
  const patch = await gitDiff(dir, { "src/a.ts": before }, { "src/a.ts": after });
  const scanner = await createSecretScanner();
  expect(await scanner.scanDiff(patch)).toEqual({
    findings: [{ rule: "npm-token", file: "src/a.ts", line: 44, column: 5 }],
    skipped: [],
  });
});

test("removed lines, lines around a change, and deleted files do not count", async () => {
  await using dir = await tempDir();
  const patch = await gitDiff(
    dir,
    { a: `x ${OLD}\ny ${NPM}\nz\n`, gone: NPM, bin: new Uint8Array([0, 1]) },
    { a: `y ${NPM}\nz\nmore\n`, gone: undefined, bin: undefined },
  );
  expect(patch).toContain(` y ${NPM}`);
  const scanner = await createSecretScanner();
  expect(await scanner.scanDiff(patch)).toEqual({ findings: [], skipped: [] });
});

test("a key is found where its first added line is, whatever was there before", async () => {
  await using dir = await tempDir();
  const [begin = "", ...rest] = KEY.split("\n");
  const patch = await gitDiff(
    dir,
    { "key.pem": `${begin}\n` },
    { "key.pem": [begin, ...rest].join("\n") },
  );
  const scanner = await createSecretScanner();
  expect((await scanner.scanDiff(patch)).findings).toEqual([
    { rule: "private-key", file: "key.pem", line: 2, column: 1 },
  ]);
});

test("names are those of the new files, however git writes them", async () => {
  await using dir = await tempDir();
  const names = ["with blank.txt", "caf\u00e9.txt", 'quo"te.txt', "b/b.txt", "tab\there", "-dash"];
  const patch = await gitDiff(
    dir,
    { "old name.txt": filler(30) },
    {
      ...Object.fromEntries(names.map((name) => [name, `${NPM}\n`])),
      "old name.txt": undefined,
      "new name.txt": `${filler(30)}\n${NPM}`,
    },
  );
  const scanner = await createSecretScanner();
  const { findings } = await scanner.scanDiff(patch);
  expect(findings.map(({ file }) => file).sort()).toEqual([...names, "new name.txt"].sort());
});

test("content that looks like a header is content", async () => {
  await using dir = await tempDir();
  const content = `++ b/other\n-- a/other\n@@ -1 +1 @@\ndiff --git a/x b/x\n${NPM}\n`;
  const patch = await gitDiff(dir, { a: "-- a/before\n" }, { a: content });
  const scanner = await createSecretScanner();
  expect((await scanner.scanDiff(patch)).findings).toEqual([
    { rule: "npm-token", file: "a", line: 5, column: 1 },
  ]);
});

test("what is not text, and what is over the limit, is named", async () => {
  await using dir = await tempDir();
  const patch = await gitDiff(
    dir,
    {},
    {
      "a.bin": new Uint8Array([0, 1, 2]),
      "b c.bin": new Uint8Array([0, 1, 3]),
      "d.txt": `${"x ".repeat(50)}\n${NPM}\n`,
      "e.txt": `${NPM}\n`,
    },
  );
  const scanner = await createSecretScanner();
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

test("an empty patch has nothing, and torn ones do no harm", () => {
  expect([...readPatch("")]).toEqual([]);
  expect([...readPatch("diff --git a/x b/x\n+++ b/x\n@@ -0,0 +1,9 @@\n+one")]).toEqual([
    { file: "x", text: "one", lines: [{ number: 1, isAdded: true }], isBinary: false },
  ]);
  expect([...readPatch("no patch at all\n+++\n@@ nothing")]).toEqual([]);
});

test("scans compiled as it does from source, and prints nothing of its own", async () => {
  await using dir = await tempDir();
  const program = await compileProgram("test/support/secrets-program.ts", dir);
  const secrets = seededSecrets(11);
  const files = Object.fromEntries(secrets.map(({ text, file }, n) => [`${n}/${file}`, text]));
  await mkdir(dir.join("repo"));
  const repo = {
    ...dir,
    path: dir.join("repo"),
    join: (...names: string[]) => dir.join("repo", ...names),
  };
  const patch = await gitDiff(repo, {}, files);
  const child = Bun.spawn([program], {
    env: { HOME: dir.path, DEBUG: "*" },
    stdin: new Blob([patch]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const scanner = await createSecretScanner();
  expect(JSON.parse(stdout)).toEqual(await scanner.scanDiff(patch));
  expect(JSON.parse(stdout).findings).toHaveLength(secrets.length);
  for (const { secret } of secrets) expect(stdout + stderr).not.toContain(secret.slice(0, 24));
});
