import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { assertRef, createGit, type Git, splitNul } from "../../../../src/platform/git/runner.ts";

let root: string;
let repo: string;
let variables: Record<string, string>;
let git: Git;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pallium-git-")));
  repo = join(root, "a 'repo' of ü");
  mkdirSync(repo);
  variables = {
    PATH: process.env.PATH ?? "",
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: root,
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  git = createGit(variables);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, text: string, mode = 0o600): string {
  const path = join(repo, name);
  writeFileSync(path, text, { mode });
  return path;
}

async function run(...args: string[]): Promise<string> {
  return (await git.run(args, { cwd: repo })).stdout;
}

async function commitFile(name: string, text: string): Promise<void> {
  write(name, text);
  await run("add", "--", name);
  await run("commit", "-q", "-m", `Write ${name}`);
}

/** The name of a file that exists once the program returned has run. */
function trap(): { program: string; trace: string } {
  const trace = join(root, "ran");
  const program = join(root, "trap.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0" >"${trace}"\nexit 1\n`, { mode: 0o700 });
  return { program, trace };
}

describe("outside a repository", () => {
  test("there is no top level, and reads say why they fail", async () => {
    expect(await git.topLevel(repo)).toBeUndefined();
    const error = { code: "not_a_repository" };
    await expect(git.headCommit(repo)).rejects.toMatchObject(error);
    await expect(git.listFiles(repo)).rejects.toMatchObject(error);
  });

  test("a bare repository has no top level either", async () => {
    await run("init", "-q", "--bare");
    expect(await git.topLevel(repo)).toBeUndefined();
  });

  test("a missing directory is named", async () => {
    const cwd = join(root, "missing");
    await expect(git.topLevel(cwd)).rejects.toMatchObject({ code: "directory_missing" });
  });
});

describe("a repository", () => {
  beforeEach(() => run("init", "-q", "-b", "main"));

  test("without commits has a top level and no head", async () => {
    mkdirSync(join(repo, "deep/down"), { recursive: true });
    expect(await git.topLevel(join(repo, "deep/down"))).toBe(repo);
    expect(await git.headCommit(repo)).toBeUndefined();
    expect(await git.listFiles(repo)).toEqual([]);
  });

  test("tells its head", async () => {
    await commitFile("a.txt", "one\n");
    const head = await git.headCommit(repo);
    expect(head).toMatch(/^[0-9a-f]{40}$/);
    expect(`${head}\n`).toBe(await run("rev-parse", "main"));
  });

  test("lists tracked and new files once, by their true names", async () => {
    await commitFile(".gitignore", "*.log\n");
    await commitFile("line\nbreak", "");
    await commitFile("größe 'q' \"d\".txt", "");
    write("new file", "");
    write("noise.log", "");
    expect(await git.listFiles(repo)).toEqual([
      ".gitignore",
      "größe 'q' \"d\".txt",
      "line\nbreak",
      "new file",
    ]);
  });

  test("lists a file in conflict once", async () => {
    await commitFile("a.txt", "base\n");
    await run("checkout", "-q", "-b", "side");
    await commitFile("a.txt", "side\n");
    await run("checkout", "-q", "main");
    await commitFile("a.txt", "main\n");
    await git.run(["merge", "side"], { cwd: repo, okCodes: [1] });
    expect(await git.listFiles(repo)).toEqual(["a.txt"]);
  });

  test("gets text on stdin", async () => {
    const { stdout } = await git.run(["hash-object", "--stdin"], { cwd: repo, input: "hello\n" });
    expect(stdout).toBe("ce013625030ba8dba906f756967f9e9ca394464a\n");
  });

  test("only the expected exit statuses are answers", async () => {
    await commitFile("a.txt", "one\n");
    write("a.txt", "two\n");
    const args = ["diff", "--quiet"];
    expect(await git.run(args, { cwd: repo, okCodes: [0, 1] })).toMatchObject({ exitCode: 1 });
    await expect(git.run(args, { cwd: repo })).rejects.toMatchObject({
      code: "git_failed",
      message: "git diff: exit status 1",
    });
    await expect(run("show", "no-such-ref")).rejects.toMatchObject({
      code: "git_failed",
      message: expect.stringContaining("no-such-ref"),
    });
  });

  test("a command that takes too long is ended", async () => {
    await run("config", "alias.hang", "!exec sleep 300");
    await expect(git.run(["hang"], { cwd: repo, timeoutMs: 100 })).rejects.toMatchObject({
      code: "git_failed",
      message: "git hang took longer than 100 ms",
    });
  });
});

describe("hostile settings", () => {
  const plainDiff = `diff --git a/größe.txt b/größe.txt
index 5626abf..f719efd 100644
--- a/größe.txt
+++ b/größe.txt
@@ -1 +1 @@
-one
+two
`;

  beforeEach(async () => {
    await run("init", "-q", "-b", "main");
    await commitFile("größe.txt", "one\n");
  });

  test.each([
    ["diff.noprefix", "true"],
    ["diff.mnemonicPrefix", "true"],
    ["diff.srcPrefix", "x/"],
    ["diff.external", "TRAP"],
    ["core.fsmonitor", "TRAP"],
    ["core.pager", "TRAP"],
    ["pager.diff", "TRAP"],
    ["core.quotePath", "true"],
    ["color.ui", "always"],
    ["color.diff", "always"],
  ])("a patch is the same with %s=%s", async (key, value) => {
    const { program, trace } = trap();
    await run("config", key, value === "TRAP" ? program : value);
    write("größe.txt", "two\n");
    expect(await run("diff")).toBe(plainDiff);
    expect(existsSync(trace)).toBe(false);
  });

  test.each(["command", "textconv"])("no %s that attributes ask for is run", async (kind) => {
    const { program, trace } = trap();
    await run("config", `diff.evil.${kind}`, program);
    write(".gitattributes", "*.txt diff=evil\n");
    write("größe.txt", "two\n");
    expect(await run("diff")).toBe(plainDiff);
    await run("show");
    await run("log", "-p");
    expect(existsSync(trace)).toBe(false);
  });

  test("hooks and signing do not touch a commit", async () => {
    const { program, trace } = trap();
    mkdirSync(join(root, "hooks"));
    for (const hook of ["pre-commit", "commit-msg", "post-commit", "post-checkout"]) {
      writeFileSync(join(root, "hooks", hook), `#!/bin/sh\nexec "${program}"\n`, { mode: 0o700 });
    }
    await run("config", "core.hooksPath", join(root, "hooks"));
    await run("config", "commit.gpgSign", "true");
    await run("config", "gpg.program", program);
    await commitFile("b.txt", "b\n");
    await run("checkout", "-q", "-b", "side");
    expect(existsSync(trace)).toBe(false);
  });

  test("variables of the caller do not redirect git or start programs", async () => {
    const { program, trace } = trap();
    const hostile = createGit({
      ...variables,
      GIT_DIR: join(root, "elsewhere"),
      GIT_WORK_TREE: root,
      GIT_INDEX_FILE: join(root, "index"),
      GIT_EXTERNAL_DIFF: program,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "diff.noprefix",
      GIT_CONFIG_VALUE_0: "true",
    });
    write("größe.txt", "two\n");
    expect(await hostile.topLevel(repo)).toBe(repo);
    expect((await hostile.run(["diff"], { cwd: repo })).stdout).toBe(plainDiff);
    expect(existsSync(trace)).toBe(false);
  });

  test("a git that the repository brings along is not run", async () => {
    const { program, trace } = trap();
    write("git", `#!/bin/sh\nexec "${program}"\n`, 0o700);
    const fromHere = relative(process.cwd(), repo);
    const careless = createGit({ ...variables, PATH: `.:${fromHere}:${variables.PATH}` });
    expect(await careless.topLevel(repo)).toBe(repo);
    expect(existsSync(trace)).toBe(false);
  });
});

test("a missing git is named", async () => {
  const none = createGit({ ...variables, PATH: root });
  await expect(none.topLevel(repo)).rejects.toMatchObject({ code: "git_missing" });
});

test("a revision that looks like an option is refused", () => {
  for (const ref of ["-x", "--output=/etc/passwd", ""]) {
    expect(() => assertRef(ref)).toThrow(expect.objectContaining({ code: "bad_ref" }));
  }
  for (const ref of ["main", "HEAD~2", "v1.0-rc", "@{-1}"]) assertRef(ref);
});

test("fields that end in NUL are split", () => {
  expect(splitNul("")).toEqual([]);
  expect(splitNul("a\0")).toEqual(["a"]);
  expect(splitNul("a\0\0b c\n\0")).toEqual(["a", "", "b c\n"]);
  expect(splitNul("a\0b")).toEqual(["a", "b"]);
});
