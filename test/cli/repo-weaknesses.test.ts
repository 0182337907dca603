/** What the Go program got wrong about repositories, seen from the command line. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoCli } from "../support/repo-cli.ts";
import { testRepository } from "../support/repository.ts";

interface Risk {
  readonly level: string;
  readonly score: number;
  readonly author_count: number;
}
interface Explained {
  readonly structural_links: { readonly path: string }[];
  readonly suggested_tests: string[];
  readonly blast_radius: string[];
  readonly related_sessions: unknown[];
  readonly used_by: { readonly path: string }[];
}
interface ChangedNow {
  readonly files: { readonly path: string; readonly working_tree_status: string }[];
}

const module = (text: string) => `export const x = ${JSON.stringify(text)};\n`;

describe("files that git ignores, and what is no file", () => {
  test("are never read (repo S3, X4)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", {
      ".gitignore": "node_modules\n",
      "src/index.ts": module("a"),
      "src/use.ts": 'import { x } from "./index";\nconsole.log(x);\n',
    });
    await cli.repo.write({ "node_modules/dep/index.test.ts": 'import "../../src/index";\n' });
    await mkdir(cli.repo.join("node_modules/dep/lib"), { recursive: true });
    await Bun.$`mkfifo ${cli.repo.join("node_modules/dep/pipe.ts")} ${cli.repo.join("src/pipe.ts")}`;
    await cli.pallium(["index"]);
    const report = await cli.json<Explained>(["explain", "src/index.ts"]);
    const named = [
      ...report.structural_links.map(({ path }) => path),
      ...report.suggested_tests,
      ...report.blast_radius,
    ];
    expect(named.filter((path) => path.startsWith("node_modules"))).toEqual([]);
    expect(named).toContain("src/use.ts");
  });

  test("links are on record, for files whose scan is too (repo L11)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", {
      "a.ts": module("a"),
      "b.ts": 'import { x } from "./a";\nconsole.log(x);\n',
    });
    await cli.pallium(["index"]);
    await cli.repo.write({ "new.ts": 'import { x } from "./a";\n' });
    const { used_by } = await cli.json<Explained>(["explain", "a.ts"]);
    expect(used_by.map(({ path }) => path)).toEqual(["b.ts", "new.ts"]);
  });
});

describe("risk", () => {
  test("is a place among the files: a commit of many makes none of them high (repo C4)", async () => {
    await using cli = await repoCli();
    const all = (round: number) =>
      Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`f${i}.ts`, module(`${round}`)]));
    await cli.repo.commit("first", all(1));
    await cli.repo.commit("sweep", all(2));
    await cli.pallium(["index"]);
    for (const path of ["f0.ts", "f7.ts", "f14.ts"]) {
      expect(await cli.json<Risk>(["risk", path])).toMatchObject({ level: "low" });
    }
  });

  test("counts people: by mailmap, co-authors too, programs not (repo C16)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", {
      ".mailmap": "Ann <ann@example.com> <old-ann@example.com>\n",
      "a.ts": module("1"),
    });
    await cli.repo.commit("as she was", { "a.ts": module("2") }, { by: "old-ann" });
    await cli.repo.commit("bump", { "a.ts": module("3") }, { by: "renovate[bot]" });
    await cli.repo.commit("pair\n\nCo-Authored-By: Bea <bea@example.com>", {
      "a.ts": module("4"),
    });
    await cli.pallium(["index"]);
    expect(await cli.json<Risk>(["risk", "a.ts"])).toMatchObject({ author_count: 2 });
  });
});

describe("history", () => {
  test("leaves merges out of counts and decisions (repo C21)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.repo.git("checkout", "-q", "-b", "side");
    await cli.repo.commit("Choose the side", { "b.ts": module("1") });
    await cli.repo.git("checkout", "-q", "main");
    await cli.repo.commit("meanwhile", { "c.ts": module("1") });
    await cli.repo.git("merge", "-q", "--no-ff", "-m", "Choose to merge the side", "side");
    expect(await cli.json(["index"])).toMatchObject({ commit_count: 3 });
    const decisions = await cli.json<{ title: string }[]>(["decisions", "choose side"]);
    expect(decisions.map(({ title }) => title)).toEqual(["Choose the side"]);
  });

  test("is stored without the messages, which git has (repo S7)", async () => {
    await using cli = await repoCli();
    const sentence = "The retry loop waits for the lock";
    await cli.repo.commit(`first\n\n${sentence}.`, { "a.ts": module("1") });
    await cli.pallium(["index"]);
    const index = await readFile(cli.repo.join(".pallium/index.sqlite"));
    expect(index.includes(sentence)).toBe(false);
    const [found] = await cli.json<{ body: string }[]>(["decisions", "retry lock"]);
    expect(found?.body).toContain(sentence);
  });
});

describe("what surrounds pallium", () => {
  test("does not leak into git: redirections and the user's settings (repo X12)", async () => {
    await using cli = await repoCli();
    await using other = await testRepository();
    await other.commit("other", { "other.ts": module("o") });
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.repo.git("config", "status.showUntrackedFiles", "no");
    await cli.repo.git("config", "core.quotePath", "true");
    await cli.repo.write({ "naïve.ts": module("n") });
    const env = { GIT_DIR: other.join(".git"), GIT_INDEX_FILE: other.join("nothing") };
    const { files } = await cli.json<ChangedNow>(["changed-now"], { env });
    expect(files).toMatchObject([{ path: "naïve.ts", working_tree_status: "??" }]);
  });

  test("sessions of other repositories are not read, nor a database made for them (repo S8, C13)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.pallium(["index"]);
    const home = cli.repo.join("home");
    const env = { PALLIUM_HOME: home };
    const report = await cli.json<Explained>(["explain", "a.ts"], { env });
    expect(report.related_sessions).toEqual([]);
    expect(existsSync(join(home, "codex-sessions.sqlite"))).toBe(false);
  });
});

describe("the working tree", () => {
  test("lists each new file by its name, renamed ones by the new one (O12, O13, O14)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "old.txt": "text\n".repeat(5), ".gitignore": "*.log\n" });
    await cli.repo.git("mv", "old.txt", "new file.txt");
    await cli.repo.write({ "my file.txt": "1", "cmd/a.ts": "1", "cmd/b.ts": "1", "x.log": "1" });
    await cli.repo.git("init", "-q", cli.repo.join("nested"));
    await cli.repo.write({ "nested/inside.ts": "1" });
    const { files } = await cli.json<ChangedNow>(["changed-now"]);
    expect(files.map(({ path, working_tree_status }) => [path, working_tree_status])).toEqual([
      ["cmd/a.ts", "??"],
      ["cmd/b.ts", "??"],
      ["my file.txt", "??"],
      ["nested/", "??"],
      ["new file.txt", "R"],
    ]);
  });
});

describe("the command line", () => {
  test("helps with each command, and opens nothing for it (repo U3)", async () => {
    await using cli = await repoCli();
    for (const args of [
      ["index", "--help"],
      ["task", "--help"],
      ["review", "-h"],
      ["help", "safe"],
    ]) {
      const { stdout, exitCode } = await cli.pallium(args);
      expect({ args, exitCode, helps: /usage/i.test(stdout) }).toEqual({
        args,
        exitCode: 0,
        helps: true,
      });
    }
    expect(existsSync(cli.repo.join(".pallium"))).toBe(false);
  });

  test("refuses what it does not know, as JSON when asked (repo U8, X2)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.pallium(["index"]);
    expect(await cli.failure(["explain", "--foo"])).toMatchObject({ code: "usage" });
    expect(await cli.failure(["explain", "a.ts", ".", "more"])).toMatchObject({ code: "usage" });
    const output = cli.repo.join("written");
    expect(await cli.failure(["review", "--", `--output=${output}`])).toMatchObject({
      code: "bad_ref",
    });
    expect(existsSync(output)).toBe(false);
  });

  test("works on another repository than the one around it (repo U10)", async () => {
    await using cli = await repoCli();
    await using other = await testRepository();
    await other.commit("first", { "a.ts": module("1") });
    await cli.json(["index", other.path]);
    expect(await cli.json(["risk", "a.ts", other.path])).toMatchObject({ path: "a.ts" });
    await cli.json(["task", "start", "there", "--repo", other.path]);
    expect(await cli.json(["task", "show", other.path])).toMatchObject({ goal: "there" });
  });
});

describe("tasks", () => {
  test("are cleared without a trace where there are none", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.pallium(["index"]);
    expect(await cli.json(["task", "clear"])).toEqual({ status: "cleared" });
    expect(existsSync(cli.repo.join(".pallium/records.sqlite"))).toBe(false);
  });

  test("outlive a new index (O3)", async () => {
    await using cli = await repoCli();
    await cli.repo.commit("first", { "a.ts": module("1") });
    await cli.pallium(["index"]);
    await cli.json(["task", "start", "keep me"]);
    await cli.pallium(["index", "--full"]);
    expect(await cli.json(["task", "show"])).toMatchObject({ goal: "keep me" });
  });
});
