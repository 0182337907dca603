/** Repositories as they come: every one gets an answer, or an error with a next step. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink, truncate } from "node:fs/promises";
import { repoCli } from "../support/repo-cli.ts";
import { tempDir } from "../support/temp.ts";

const module = (text: string) => `export const x = ${JSON.stringify(text)};\n`;

/** Every command that only asks, about a file of the repository. */
const QUESTIONS = (path: string): readonly (readonly string[])[] => [
  ["explain", path],
  ["risk", path],
  ["neighbors", path],
  ["safe", path],
  ["plan", path],
  ["changed-now"],
  ["review"],
  ["handoff"],
  ["workflow", "preflight", "look", "--scope", path],
  ["decisions", "anything"],
  ["doctor"],
  ["map"],
];

describe("a repository", () => {
  test("of one commit answers everything (repo U6)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("only", { "a.ts": module("1") });
    await cli.pallium(["index"]);
    for (const question of QUESTIONS("a.ts")) await cli.json(question);
    expect(await cli.json(["review"])).toMatchObject({
      changed_files: [{ path: "a.ts", status: "A" }],
    });
  });

  test("with a detached head, and one that was rewritten", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    const second = await cli.repo.commit("second", { "a.ts": module("2") });
    await cli.pallium(["index"]);
    await cli.repo.git("checkout", "-q", "--detach", second);
    for (const question of QUESTIONS("a.ts")) await cli.json(question);
    await cli.repo.git("reset", "-q", "--hard", "HEAD~1");
    await cli.repo.commit("instead", { "b.ts": module("3") });
    await cli.repo.git("reflog", "expire", "--expire=now", "--all");
    expect(await cli.json(["risk", "a.ts"])).toMatchObject({ churn_score: 1 });
  });

  test("of which only a part is checked out", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", {
      "in/a.ts": 'import { x } from "../out/b";\nconsole.log(x);\n',
      "out/b.ts": module("b"),
    });
    await cli.repo.git("sparse-checkout", "set", "in");
    await cli.pallium(["index"]);
    for (const question of QUESTIONS("in/a.ts")) await cli.json(question);
    expect(await cli.json(["changed-now"])).toMatchObject({ files: [] });
    expect(await cli.json(["explain", "out/b.ts"])).toMatchObject({
      used_by: [{ path: "in/a.ts" }],
    });
  });

  test("before its first commit: what needs none answers (O46)", async () => {
    await using cli = await repoCli();
    await cli.repo.write({ "scratch.go": "package main\n" });
    expect(await cli.json(["changed-now"])).toMatchObject({
      index_status: "missing",
      files: [{ path: "scratch.go", risk_level: "unknown" }],
    });
    for (const question of [["review"], ["handoff"], ["doctor"], ["workflow", "preflight", "x"]]) {
      await cli.json(question);
    }
    expect(await cli.failure(["explain", "scratch.go"])).toMatchObject({ code: "not_indexed" });
    expect(await cli.failure(["index"])).toMatchObject({ code: "no_commits" });
  });

  test("with odd names, messages of another encoding and control characters", async () => {
    await using cli = await repoCli();
    const odd = [
      "with space.ts",
      'quo"te.ts',
      "new\nline.ts",
      "{a => b}.ts",
      "-dash.ts",
      "\u001b[31mred.ts",
      `${"deep/".repeat(700)}file.ts`,
    ];
    await cli.repo.write({ "a.ts": module("a") });
    for (const path of odd.slice(0, -1)) await cli.repo.write({ [path]: module(path) });
    await cli.repo.git("add", "-A");
    const latin = Buffer.concat([
      Buffer.from("caf"),
      Buffer.from([0xe9]),
      Buffer.from(" \u0001\u001e"),
    ]);
    await Bun.write(cli.repo.join(".git/message"), latin);
    await cli.repo.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-qF", ".git/message");
    const { stdout } = await cli.pallium(["index"]);
    expect(stdout).toStartWith("Indexed 1 commits");
    for (const path of odd.slice(0, -1)) {
      expect(await cli.json(["risk", "--", path])).toMatchObject({ path, churn_score: 1 });
      const text = await cli.pallium(["explain", "--", path]);
      expect(text.exitCode).toBe(0);
      expect(text.stdout).not.toContain("\u001b[31m");
    }
    expect(await cli.json(["decisions", "café"])).toMatchObject([{ title: "café \u0001\u001e" }]);
    expect(await cli.failure(["risk", odd.at(-1) ?? ""])).toMatchObject({ code: "path_unknown" });
  });

  test("with loops of links, pipes, and files larger than memory should hold", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await symlink("loop.ts", cli.repo.join("loop.ts"));
    await symlink(".", cli.repo.join("here"));
    await Bun.$`mkfifo ${cli.repo.join("pipe.ts")}`;
    await cli.repo.write({ "huge.ts": "" });
    await truncate(cli.repo.join("huge.ts"), 2 * 1024 ** 3);
    await cli.pallium(["index"]);
    for (const question of QUESTIONS("a.ts")) await cli.json(question);
    await cli.repo.git("add", "loop.ts", "here");
    await cli.repo.git("commit", "-qm", "links");
    expect(await cli.json(["index"])).toMatchObject({ commit_count: 2 });
    await cli.json(["explain", "loop.ts"]);
  });

  test("inside another one is asked by itself", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("outer", { "outer.ts": module("o") });
    await cli.pallium(["index"]);
    await using inner = await tempDir();
    await mkdir(cli.repo.join("nested"));
    await cli.repo.git("init", "-q", cli.repo.join("nested"));
    expect(await cli.failure(["risk", "x.ts"], { cwd: cli.repo.join("nested") })).toMatchObject({
      code: "not_indexed",
    });
    expect(await cli.failure(["risk", "outer.ts"], { cwd: inner.path })).toMatchObject({
      code: "not_a_repository",
    });
  });
});

describe("no space left", () => {
  test("leaves the index as it was, and says so", async () => {
    await using cli = await repoCli();
    const words = (round: number) =>
      Array.from({ length: 4000 }, (_, at) => `w${(at * 7919 + round * 104_729) % 1_000_003}`);
    for (let round = 0; round < 4; round++) {
      const message = `round ${round}\n\n${words(round).join(" ")}`;
      await cli.repo.commit(message, { "a.ts": module(`${round}`) });
    }
    await cli.pallium(["index"]);
    const before = await readFile(cli.repo.join(".pallium/index.sqlite"));
    const limited = await cli.limited(["index", "--full", "--json"], 64);
    expect(limited.exitCode).toBe(1);
    expect(JSON.parse(limited.stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "disk_full" },
    });
    expect((await readFile(cli.repo.join(".pallium/index.sqlite"))).equals(before)).toBe(true);
    expect(await cli.json(["risk", "a.ts"])).toMatchObject({ churn_score: 4 });
  });
});
