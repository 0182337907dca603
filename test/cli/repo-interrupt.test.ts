/** Ctrl-C while a command of repo memory waits for git: git ends too, and nothing is half done. */
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "../support/cli.ts";
import { fileAppears } from "../support/files.ts";
import { runningFrom } from "../support/leftovers.ts";
import { type RepoCli, repoCli } from "../support/repo-cli.ts";
import { GIT_VARIABLES } from "../support/repository.ts";

/** A git that never comes back from one of its commands; that it hangs is in the file `hangs`. */
async function hangingGit(folder: string, gitCommand: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const pattern = `*" ${gitCommand.replaceAll(" ", ' "*"')} "*`;
  const hang = `: >"${folder}/hangs"; exec sleep 60`;
  await Bun.write(
    join(folder, "git"),
    `#!/bin/sh\ncase " $* " in\n${pattern}) ${hang};;\nesac\nexec ${Bun.which("git")} "$@"\n`,
  );
  await chmod(join(folder, "git"), 0o755);
  return folder;
}

/** Interrupts a command while that command of git hangs; all of it must be over then. */
async function interrupt(
  { repo }: RepoCli,
  gitCommand: string,
  args: readonly string[],
  signal: "SIGINT" | "SIGTERM" = "SIGINT",
) {
  const folder = await hangingGit(repo.join(".git", "hanging"), gitCommand);
  await using child = Bun.spawn([...PALLIUM, ...args], {
    cwd: repo.path,
    env: { ...GIT_VARIABLES, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  await fileAppears(join(folder, "hangs"));
  child.kill(signal);
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  expect({ exitCode, stdout, left: runningFrom(folder) }).toEqual({
    exitCode: signal === "SIGINT" ? 130 : 143,
    stdout: "",
    left: [],
  });
  expect(stderr).toContain("interrupted");
}

test.each([
  ["ls-tree", ["index", "--full"]],
  ["rev-list --no-merges", ["index", "--full"]],
  ["cat-file --batch-check", ["index", "--full"]],
  ["cat-file --batch", ["index", "--full"]],
  ["diff-tree --stdin", ["index", "--full"]],
  ["symbolic-ref", ["index"]],
  ["rev-list --topo-order", ["index"]],
  ["diff-tree -r", ["index"]],
  ["rev-list --topo-order", ["risk", "a.ts"]],
] as const)("git %s of pallium %p ends, and the index stays", async (gitCommand, args) => {
  await using cli = await repoCli();
  await cli.repo.commit("first", { "a.ts": "export const a = 1;\n" });
  await cli.pallium(["index"]);
  const before = await readFile(cli.repo.join(".pallium/index.sqlite"));
  await cli.repo.commit("second", { "a.ts": "export const a = 2;\n" });
  await interrupt(cli, gitCommand, args);
  const after = await readFile(cli.repo.join(".pallium/index.sqlite"));
  expect(after.equals(before)).toBe(true);
  expect((await readdir(cli.repo.join(".pallium"))).sort()).toEqual([".gitignore", "index.sqlite"]);
});

test("SIGTERM has an exit status of its own", async () => {
  await using cli = await repoCli();
  await cli.repo.commit("first", { "a.ts": "export const a = 1;\n" });
  await interrupt(cli, "status", ["doctor"], "SIGTERM");
});

test.each([
  ["status", ["explain", "a.ts"]],
  ["status", ["doctor"]],
  ["rev-parse", ["review", "main"]],
  ["diff", ["review"]],
  ["diff", ["verify", "fast"]],
  ["rev-list --no-merges", ["handoff"]],
  ["status", ["task", "show"]],
] as const)("git %s of pallium %p ends", async (gitCommand, args) => {
  await using cli = await repoCli();
  await cli.repo.commit("first", { "a.ts": "export const a = 1;\n" });
  await cli.repo.git("checkout", "-q", "-b", "feature");
  await cli.repo.commit("second", { "a.ts": "export const a = 2;\n" });
  await cli.pallium(["index"]);
  await interrupt(cli, gitCommand, args);
});
