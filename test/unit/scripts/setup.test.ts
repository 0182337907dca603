import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, cp } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "acorn";
import { junitCounts } from "../../../scripts/setup/bun-tests.mjs";
import { commitOf } from "../../../scripts/setup/commit.mjs";
import { lookForBun } from "../../../scripts/setup/find-bun.mjs";
import { nodeProblem } from "../../../scripts/setup/require-node.cjs";
import { sum, totalLine } from "../../../scripts/setup/run-step.mjs";
import { writeTree } from "../../support/build.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../../..");

let dir: TempDir;

beforeEach(async () => {
  dir = await tempDir();
});

afterEach(() => dir[Symbol.asyncDispose]());

async function writeProgram(path: string, body: string): Promise<void> {
  await writeTree(dir.path, { [path]: `#!/bin/sh\n${body}\n` });
  await chmod(dir.join(path), 0o755);
}

describe("a Node.js that is too old", () => {
  const guard = "scripts/setup/require-node.cjs";

  test("is refused", () => {
    expect(nodeProblem("12.22.9")).toContain("needs Node.js 20 or newer, this is 12.22.9\n  hint:");
    expect(nodeProblem("18.20.4")).toContain("this is 18.20.4");
    expect(nodeProblem("20.0.0")).toBeUndefined();
  });

  test("can read what refuses it, which is loaded first", async () => {
    const text = await Bun.file(resolve(ROOT, guard)).text();
    expect(() => parse(text, { ecmaVersion: 2015 })).not.toThrow();
    const { scripts, engines } = await Bun.file(resolve(ROOT, "package.json")).json();
    expect(engines.node).toBe(">=20");
    for (const name of ["start", "test", "build"]) {
      expect(scripts[name]).toStartWith(`node -r ./${guard} `);
    }
  });
});

describe("the commit of a build", () => {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];

  function git(...args: readonly string[]): string {
    const env = { PATH: process.env.PATH ?? "", HOME: dir.path };
    const run = Bun.spawnSync(["git", ...identity, ...args], { cwd: dir.path, env });
    if (run.exitCode !== 0) throw new Error(run.stderr.toString());
    return run.stdout.toString().trim();
  }

  async function repository(): Promise<string> {
    await writeTree(dir.path, { "file.txt": "one\n", "inner/file.txt": "one\n" });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    return git("rev-parse", "--short=12", "HEAD");
  }

  test("is the one checked out, and says when files differ from it", async () => {
    const head = await repository();
    expect(commitOf(dir.path)).toBe(head);
    await Bun.write(dir.join("file.txt"), "two\n");
    expect(commitOf(dir.path)).toBe(`${head}-dirty`);
  });

  test("is unknown outside of git, and in a folder of another repository", async () => {
    expect(commitOf(dir.path)).toBe("unknown");
    await repository();
    expect(commitOf(dir.join("inner"))).toBe("unknown");
  });
});

describe("Bun is looked for", () => {
  const MANIFEST = { "node_modules/bun/package.json": '{ "version": "1.4.5" }' };
  const platform = `node_modules/@oven/bun-${process.platform}-x64/bin/bun`;
  const place = "node_modules/bun/bin/bun.exe";

  test("where its install script puts it", async () => {
    await writeTree(dir.path, MANIFEST);
    await writeProgram(place, "echo 1.4.5");
    expect(lookForBun(dir.path)).toBe(dir.join(place));
  });

  test("in the platform's package when the place holds a stub", async () => {
    await writeTree(dir.path, MANIFEST);
    await writeProgram(place, "echo 'the install script did not run' >&2; exit 1");
    await writeProgram(platform, "echo 1.4.5");
    expect(lookForBun(dir.path)).toBe(dir.join(platform));
  });

  test("in vain when it is another version, or none", async () => {
    expect(lookForBun(dir.path)).toBeUndefined();
    await writeTree(dir.path, MANIFEST);
    await writeProgram(place, "echo 1.4.4");
    expect(lookForBun(dir.path)).toBeUndefined();
  });
});

describe("npm ci", () => {
  /** Installs in a process of its own, with `bin` as its whole PATH. */
  async function installs(
    variables: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; errors: string; calls: string }> {
    const script = dir.join("scripts/setup/run.mjs");
    await cp(resolve(ROOT, "scripts/setup"), dir.join("scripts/setup"), { recursive: true });
    await Bun.write(
      script,
      `import { install } from "./install.mjs"; import { runMain } from "./problem.mjs";
       await runMain(async () => (install(${JSON.stringify(dir.path)}, "things"), 0));`,
    );
    const node = Bun.which("node") ?? "node";
    const child = Bun.spawn([node, script], {
      env: { PATH: dir.join("bin"), ...variables },
      stderr: "pipe",
    });
    const errors = await child.stderr.text();
    const log = Bun.file(dir.join("calls"));
    const calls = (await log.exists()) ? await log.text() : "";
    return { status: await child.exited, errors, calls };
  }

  const works = `echo "$1" >>calls; [ -d node_modules ] || /bin/mkdir node_modules`;

  test("keeps its downloads elsewhere for this once where its own place cannot be written", async () => {
    await writeTree(dir.path, { "package-lock.json": "{}", "a file": "" });
    await writeProgram("bin/npm", `echo "$npm_config_cache" >>calls; /bin/mkdir node_modules`);
    const { status, calls } = await installs({ HOME: dir.join("a file", "home") });
    expect(status).toBe(0);
    expect(calls).toMatch(/^\/.*\/pallium-npm-\w+\n$/);
    expect(existsSync(calls.trim())).toBe(false);
  });

  test("keeps its downloads in its own place where that can be made", async () => {
    await writeTree(dir.path, { "package-lock.json": "{}" });
    await writeProgram("bin/npm", `echo "[$npm_config_cache]" >>calls; /bin/mkdir node_modules`);
    expect(await installs({ HOME: dir.join("new", "home") })).toMatchObject({ calls: "[]\n" });
  });

  test("runs once, and again when the lock file changed", async () => {
    await writeTree(dir.path, { "package-lock.json": "1" });
    await writeProgram("bin/npm", works);
    expect(await installs()).toEqual({
      status: 0,
      errors: "Installing things ...\n",
      calls: "ci\n",
    });
    expect(await installs()).toEqual({ status: 0, errors: "", calls: "ci\n" });
    await Bun.write(dir.join("package-lock.json"), "2");
    expect((await installs()).calls).toBe("ci\nci\n");
  });

  test("is said to be missing when there is no npm", async () => {
    await writeTree(dir.path, { "package-lock.json": "1" });
    const { status, errors } = await installs();
    expect({ status, errors }).toEqual({
      status: 1,
      errors: expect.stringContaining("error: npm was not found\n  hint: install npm"),
    });
  });

  test("that fails shows what npm printed, and is not taken for done", async () => {
    await writeTree(dir.path, { "package-lock.json": "1", "node_modules/x": "" });
    await writeProgram("bin/npm", "echo 'npm error code ENOTFOUND' >&2; exit 1");
    const { status, errors } = await installs();
    expect(status).toBe(1);
    expect(errors).toContain("npm error code ENOTFOUND");
    expect(errors).toContain("could not reach the package registry (ENOTFOUND)\n  hint: check the");
    await writeProgram("bin/npm", works);
    expect((await installs()).calls).toBe("ci\n");
  });
});

test("tests are counted by the report, and a report that is none is not taken for zero tests", () => {
  const report = `<?xml version="1.0"?>
<testsuites name="bun test" tests="9" assertions="8" failures="2" skipped="3" time="0.1">
  <testsuite name="a" tests="1" failures="7" skipped="7"></testsuite>
</testsuites>`;
  expect(junitCounts(report)).toEqual({ passed: 4, failed: 2, skipped: 3 });
  expect(junitCounts("")).toBeUndefined();
});

test("the last line names what was skipped only if something was", () => {
  const one = { passed: 1, failed: 0, skipped: 0 };
  expect(totalLine(sum(one, one))).toBe("2 passed, 0 failed");
  expect(totalLine(sum(one, { passed: 0, failed: 2, skipped: 3 }))).toBe(
    "1 passed, 2 failed, 3 skipped",
  );
});
