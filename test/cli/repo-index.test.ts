/** `pallium index`, and what the commands that stand on it do with every kind of repository. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { repoCli } from "../support/repo-cli.ts";
import { tempDir } from "../support/temp.ts";

interface IndexReport {
  readonly outcome: string;
  readonly commit_count: number;
  readonly file_count: number;
  readonly cochange_edge_count: number;
  readonly commits_added: number;
  readonly commits_removed: number;
}
interface Neighbor {
  readonly path: string;
  readonly cochange_count: number;
}

const code = (text: string) => `export const x = ${JSON.stringify(text)};\n`;

describe("index", () => {
  test("counts commits, files and pairs; names are never joined (O1, O2)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("add", { "a::b": "1", c: "1", a: "1", "b::c": "1" });
    const report = await cli.json<IndexReport>(["index"]);
    expect(report).toMatchObject({ commit_count: 1, file_count: 4, cochange_edge_count: 12 });
    const { stdout } = await cli.pallium(["index"]);
    expect(stdout).toStartWith("Indexed 1 commits, 4 files, 12 co-change edges");
  });

  test("hides its files from git, but not saved workflows (repo D4, X13)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    expect(await cli.repo.git("status", "--porcelain")).toBe("");
    await cli.repo.write({ ".pallium/workflows/mine.js": "return 1;" });
    expect(await cli.repo.git("status", "--porcelain", "-uall")).toContain("workflows/mine.js");
    expect((await stat(cli.repo.join(".pallium"))).mode & 0o777).toBe(0o700);
    expect((await stat(cli.repo.join(".pallium/index.sqlite"))).mode & 0o777).toBe(0o600);
  });

  test("is found again when the checkout moves (repo D3)", async () => {
    await using cli = await repoCli();
    await using elsewhere = await tempDir();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    await cli.repo.git("clone", "-q", cli.repo.path, elsewhere.join("copy"));
    const moved = elsewhere.join("moved");
    await cli.repo.git("-C", elsewhere.path, "mv", "--help").catch(() => "");
    await Bun.$`cp -r ${cli.repo.path} ${moved}`.quiet();
    expect(await cli.json(["risk", "a.ts"], { cwd: moved })).toMatchObject({ churn_score: 1 });
  });

  test("is brought up to date by the next command that needs it (repo S2)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    await cli.repo.commit("second", { "a.ts": code("b") });
    const { stdout, stderr } = await cli.pallium(["risk", "a.ts", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ churn_score: 2 });
    expect(stderr).toContain("index brought up to date: 1 commit in, 0 out");
  });

  test("of another version, or damaged, is made anew by the next command", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    await Bun.write(cli.repo.join(".pallium/index.sqlite"), "torn");
    const { stdout, stderr } = await cli.pallium(["risk", "a.ts", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ churn_score: 1 });
    expect(stderr).toContain("the index could not be used and was made anew");
  });

  test("leaves the old index when it is killed in the middle", async () => {
    await using cli = await repoCli();
    for (let round = 0; round < 60; round++) {
      await cli.repo.commit(`edit ${round}`, { "a.ts": code(`${round}`) });
    }
    await cli.pallium(["index"]);
    const before = await readFile(cli.repo.join(".pallium/index.sqlite"));
    const { exitCode } = await cli.pallium(["index", "--full"], {
      env: { PATH: `${await stallingGit(cli.repo.path)}:${process.env.PATH}` },
    });
    expect(exitCode).toBe(137);
    expect((await readFile(cli.repo.join(".pallium/index.sqlite"))).equals(before)).toBe(true);
    expect(await cli.json(["risk", "a.ts"])).toMatchObject({ churn_score: 60 });
  });

  test("says what is missing: git, a repository, commits, a working tree", async () => {
    await using cli = await repoCli();
    await using empty = await tempDir();
    expect(await cli.failure(["index"])).toMatchObject({ code: "no_commits" });
    expect(await cli.failure(["index"], { cwd: empty.path })).toMatchObject({
      code: "not_a_repository",
    });
    await cli.repo.git("init", "-q", "--bare", empty.join("bare.git"));
    expect(await cli.failure(["index"], { cwd: empty.join("bare.git") })).toMatchObject({
      code: "bare_repository",
    });
    const noGit = { env: { PATH: empty.path } };
    expect(await cli.failure(["index"], noGit)).toMatchObject({ code: "git_missing" });
  });

  test("where the folder cannot be written is kept in pallium's own (repo D4)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await Bun.write(cli.repo.join("pallium-is-a-file"), "");
    await cli.repo.git("config", "core.worktree", cli.repo.path);
    const report = await cli.json<{ repo_db_path: string }>(["doctor"]);
    expect(report.repo_db_path).toBe(cli.repo.join(".pallium/index.sqlite"));
  });
});

/** A git that begins to print the log, and then kills the process that reads it. */
async function stallingGit(root: string): Promise<string> {
  const folder = join(root, ".git", "stalling");
  const real = Bun.which("git");
  await mkdir(folder, { recursive: true });
  await Bun.write(
    join(folder, "git"),
    `#!/bin/sh\ncase " $* " in\n*" --raw "*) ${real} "$@" | head -c 2000; kill -9 $PPID; exit 1;;\nesac\nexec ${real} "$@"\n`,
  );
  await chmod(join(folder, "git"), 0o755);
  return folder;
}

describe("paths", () => {
  test("count from where the user stands, or from the top (repo U1)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "src/deep/a.ts": code("a"), "src/b.ts": code("b") });
    await cli.pallium(["index"]);
    const here = { cwd: cli.repo.join("src/deep") };
    for (const typed of ["a.ts", "./a.ts", "src/deep/a.ts", cli.repo.join("src/deep/a.ts")]) {
      expect(await cli.json(["risk", typed], here)).toMatchObject({ path: "src/deep/a.ts" });
    }
    expect(await cli.json(["risk", "../b.ts"], here)).toMatchObject({ path: "src/b.ts" });
  });

  test("through a link lead to the file (repo U1)", async () => {
    await using cli = await repoCli();
    await using elsewhere = await tempDir();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    await symlink(cli.repo.path, elsewhere.join("link"));
    expect(await cli.json(["risk", elsewhere.join("link/a.ts")])).toMatchObject({ path: "a.ts" });
  });

  test("outside, folders and unknown ones are refused with a next step (repo X3, U2)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "src/server.ts": code("a") });
    await cli.pallium(["index"]);
    expect(await cli.failure(["risk", "../outside.ts"])).toMatchObject({ code: "path_outside" });
    expect(await cli.failure(["risk", "/etc/passwd"])).toMatchObject({ code: "path_outside" });
    expect(await cli.failure(["risk", "src"])).toMatchObject({
      code: "path_is_folder",
      hints: ["name a file; the riskiest there: src/server.ts"],
    });
    expect(await cli.failure(["neighbors", "src/servr.ts"])).toMatchObject({
      code: "path_unknown",
      hints: ["did you mean src/server.ts?"],
    });
    expect(await cli.failure(["risk", " "])).toMatchObject({ code: "path_required" });
    expect(await cli.failure(["risk"])).toMatchObject({ code: "usage" });
  });

  test("that were renamed lead to the new name", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "old.ts": code("a").repeat(9) });
    await cli.repo.commit("move", { "old.ts": null, "new.ts": code("a").repeat(9) });
    await cli.pallium(["index"]);
    expect(await cli.failure(["explain", "old.ts"])).toMatchObject({
      code: "path_unknown",
      message: "the file has another name now: old.ts",
      hints: ["it is new.ts"],
    });
  });

  test("of a deleted file still tell its history", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a"), "b.ts": code("b") });
    await cli.repo.commit("remove", { "a.ts": null });
    await cli.pallium(["index"]);
    expect(await cli.json(["risk", "a.ts"])).toMatchObject({ level: "unknown", churn_score: 2 });
  });
});

describe("neighbors", () => {
  test("are what changes together and exists, the likeliest first (repo C8, O23)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a"), "b.ts": code("b"), "gone.ts": code("g") });
    await cli.repo.commit("edit", { "a.ts": code("2"), "b.ts": code("2"), "gone.ts": null });
    await cli.repo.commit("other", { "c.ts": code("c") });
    await cli.pallium(["index"]);
    const neighbors = await cli.json<Neighbor[]>(["neighbors", "a.ts"]);
    expect(neighbors[0]).toMatchObject({ path: "b.ts", cochange_count: 2 });
    expect(neighbors.map(({ path }) => path)).not.toContain("gone.ts");
    expect(await cli.json<Neighbor[]>(["neighbors", "a.ts", "--limit", "1"])).toHaveLength(1);
  });
});

describe("commands that need an index", () => {
  test("say how to get one, and make nothing (repo D4, O15, O52)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    for (const args of [
      ["risk", "a.ts"],
      ["neighbors", "a.ts"],
      ["decisions", "x"],
      ["verify", "fast"],
    ]) {
      const { code: found, message } = await cli.failure(args);
      expect({ args, found }).toEqual({ args, found: "not_indexed" });
      expect(message).toContain("repo has not been indexed yet: run `pallium index` first");
    }
    expect(existsSync(cli.repo.join(".pallium"))).toBe(false);
  });

  test("answer without a lock while another process indexes (repo D2)", async () => {
    await using cli = await repoCli();
    for (let round = 0; round < 20; round++) {
      await cli.repo.commit(`edit ${round}`, { "a.ts": code(`${round}`) });
    }
    await cli.pallium(["index"]);
    const [, ...answers] = await Promise.all([
      cli.pallium(["index", "--full"]),
      cli.json(["risk", "a.ts"]),
      cli.json(["risk", "a.ts"]),
      cli.pallium(["index", "--full"]).then(({ exitCode }) => ({ churn_score: exitCode + 20 })),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ churn_score: 20 });
    expect((await readdir(cli.repo.join(".pallium"))).sort()).toEqual([
      ".gitignore",
      "index.sqlite",
    ]);
  });
});

describe("a partial clone", () => {
  test("is indexed without fetching a file (repo S6)", async () => {
    await using cli = await repoCli();
    const text = "line\n".repeat(30);
    await cli.repo.commit("first", { "a.ts": text, "b.ts": code("b") });
    await cli.repo.commit("second", { "a.ts": null, "moved.ts": `${text}more\n` });
    await cli.repo.git("config", "uploadpack.allowFilter", "true");
    await using elsewhere = await tempDir();
    const clone = elsewhere.join("clone");
    const url = `file://${cli.repo.path}`;
    await cli.repo.git("clone", "-q", "--filter=blob:none", "--no-checkout", url, clone);
    await rm(cli.repo.join(".git/objects"), { recursive: true });
    const report = await cli.json<IndexReport>(["index"], { cwd: clone });
    expect(report).toMatchObject({ commit_count: 2, file_count: 3 });
  });
});

describe("doctor", () => {
  test("agrees with the other commands in a linked working tree (repo D5)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": code("a") });
    await cli.pallium(["index"]);
    await cli.repo.git("worktree", "add", "-q", cli.repo.join("linked"), "-b", "feature");
    const report = await cli.json(["doctor"], { cwd: cli.repo.join("linked") });
    expect(report).toMatchObject({
      index_status: "indexed",
      repo_db_path: cli.repo.join(".pallium/index.sqlite"),
      repo_root: cli.repo.join("linked"),
    });
  });

  test("works before the first commit and the first index", async () => {
    await using cli = await repoCli();
    const before = await cli.json<{ index_status: string; notes: string[] }>(["doctor"]);
    expect(before).toMatchObject({ index_status: "missing", repo_db_exists: false });
    expect(before.notes).toContain("the repository has no commits yet");
    await cli.repo.commit("first", { "a.ts": code("a") });
    expect(await cli.json(["doctor"])).toMatchObject({
      index_status: "missing",
      recommended_next_command: "pallium index",
    });
  });
});

describe("decisions", () => {
  test("answer questions in plain words, the best first (repo C18)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit(
      "Index in one pass\n\nIndexing was slow because every file was read twice.",
      {
        "a.ts": code("1"),
      },
    );
    await cli.repo.commit("Rename the index", { "a.ts": code("2") });
    await cli.repo.commit("Unrelated", { "b.ts": code("3") });
    await cli.pallium(["index"]);
    const found = await cli.json<{ title: string; body: string }[]>([
      "decisions",
      "why is indexing slow?",
    ]);
    expect(found.map(({ title }) => title)).toEqual(["Index in one pass", "Rename the index"]);
    expect(found[0]?.body).toContain("because every file was read twice");
    expect(await cli.json<unknown[]>(["decisions", "slow", "indexing"])).toHaveLength(2);
    expect(await cli.json<unknown[]>(["decisions", "nothing-like-it"])).toEqual([]);
  });

  test.each(['"', "AND", "-x", "a.b", "*", "100%", "_", "😀", "NEAR(", "x".repeat(10_000)])(
    "take any text for words: %s",
    async (query) => {
      await using cli = await repoCli();
      await cli.repo.commit("first", { "a.ts": code("1") });
      await cli.pallium(["index"]);
      expect(await cli.json<unknown[]>(["decisions", "--", query])).toEqual([]);
    },
  );

  test("find the one that holds every word among many that hold some", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("Cache eviction by age", { "a.ts": code("1") });
    for (let round = 0; round < 160; round++)
      await cli.repo.git("commit", "-q", "--allow-empty", "-m", `cache ${round}`);
    await cli.pallium(["index"]);
    const [best] = await cli.json<{ title: string }[]>(["decisions", "cache eviction"]);
    expect(best?.title).toBe("Cache eviction by age");
  });

  test("leave out the folder that stands last", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("Choose folders", { "a.ts": code("1") });
    await cli.pallium(["index"]);
    expect(await cli.json<unknown[]>(["decisions", "folders", "."])).toHaveLength(1);
  });
});

describe("verify", () => {
  test("tells of the first command that failed, also where others went on (repo C2)", async () => {
    await using cli = await repoCli();
    const scripts = { test: "exit 3", lint: "exit 0" };
    await cli.repo.commit("first", {
      "package.json": JSON.stringify({ name: "x", scripts }),
      "a.js": "exports.a = 1;\n",
    });
    await cli.pallium(["index"]);
    const { stdout, exitCode } = await cli.pallium(["verify", "full", "--keep-going", "--json"]);
    const report = JSON.parse(stdout);
    expect(exitCode).toBe(1);
    expect(report.exit_code).toBe(3);
    expect(report.command).toBe("npm test");
    expect(report.results.map(({ exit_code }: { exit_code: number }) => exit_code)).toEqual([3, 0]);
    const stopped = await cli.pallium(["verify", "full", "--json"]);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ exit_code: 3, not_run: ["npm run lint"] });
  });
});
