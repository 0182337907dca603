/** The index grows with the history, follows it back, and is always what a fresh one would be. */
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit, type Git } from "../../../../src/platform/git/runner.ts";
import { indexHistory } from "../../../../src/repo/history/index-history.ts";
import { openIndex } from "../../../../src/repo/history/present-index.ts";
import type { IndexOptions } from "../../../../src/repo/history/write-index.ts";
import { findRepository, type Repository } from "../../../../src/repo/identity.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);
const powers = { git, clock: systemClock() };
const files = { begin: () => ({ scan: async () => {}, finish: () => {} }) };

async function identify(repo: TestRepository): Promise<Repository> {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  await mkdir(repository.dataFolder, { recursive: true });
  return repository;
}

async function index(repo: TestRepository, options: Partial<IndexOptions> = {}) {
  return indexHistory(powers, await identify(repo), { files, ...options });
}

/** Everything in the index, by names instead of ids. */
async function contents(repo: TestRepository) {
  const index = await openIndex(await identify(repo));
  if (index === undefined) throw new Error("no index");
  try {
    return {
      head: index.get<{ head: string }>("SELECT head FROM state")?.head,
      files: index.all(
        `SELECT path, churn, author_count, last_touched_at, round(heat, 6) AS heat,
           round(fix_heat, 6) AS fix_heat FROM files WHERE churn > 0 ORDER BY path`,
      ),
      touches: index.all(
        `SELECT hex(hash) AS hash, path FROM touches JOIN commits ON commits.id = commit_id
           JOIN files ON files.id = file_id ORDER BY hash, path`,
      ),
      order: index.all("SELECT hex(hash) AS hash, subject FROM commits ORDER BY id"),
    };
  } finally {
    index.close();
  }
}

async function fresh(repo: TestRepository) {
  await index(repo, { full: true });
  return contents(repo);
}

describe("an index", () => {
  test("holds each commit, what it touched and who wrote it (O7)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1", "b.ts": "1" });
    await repo.commit("fix: second\n\nCo-authored-by: Bea <bea@example.com>", { "a.ts": "2" });
    await repo.commit("bump", { "a.ts": "3" }, { by: "dependabot[bot]" });
    expect(await index(repo)).toEqual({ kind: "built" });
    const { files, order } = await contents(repo);
    expect(order.map((row) => (row as { subject: string }).subject)).toEqual([
      "bump",
      "fix: second",
      "first",
    ]);
    expect(files).toMatchObject([
      { path: "a.ts", churn: 3, author_count: 2 },
      { path: "b.ts", churn: 1, author_count: 1, fix_heat: 0 },
    ]);
  });

  test("is left alone while nothing was committed", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    expect(await index(repo)).toEqual({ kind: "current" });
  });

  test("follows renames, also of two files that swap their names (repo C8)", async () => {
    await using repo = await testRepository();
    const text = (name: string) => `${name}\n`.repeat(20);
    await repo.commit("first", { "old.ts": text("one"), "x.ts": text("x"), "y.ts": text("y") });
    await repo.commit("edit", { "old.ts": `${text("one")}more\n` });
    await repo.commit("move", { "old.ts": null, "new/name.ts": `${text("one")}more\n` });
    await repo.commit("swap", { "x.ts": text("y"), "y.ts": text("x") });
    await repo.commit("after", { "x.ts": `${text("y")}2\n` });
    await index(repo);
    const { files } = await contents(repo);
    expect(files).toMatchObject([
      { path: "new/name.ts", churn: 3 },
      { path: "x.ts", churn: 3 },
      { path: "y.ts", churn: 2 },
    ]);
  });

  test("is updated with a few commits, and says when there are too many (repo S2)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    for (const round of [1, 2, 3]) await repo.commit(`edit ${round}`, { "a.ts": `${round}\n` });
    expect(await index(repo, { atMost: 1 })).toEqual({ kind: "behind", commits: 2 });
    expect(await index(repo, { atMost: 2 })).toEqual({ kind: "behind", commits: 3 });
    expect(await index(repo, { atMost: 3 })).toEqual({ kind: "updated", added: 3, removed: 0 });
    expect(await contents(repo)).toEqual(await fresh(repo));
  });

  test("is updated over a merge, which is nothing of its own", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    await repo.git("switch", "-q", "-c", "side");
    await repo.commit("there", { "b.ts": "1" });
    await repo.git("switch", "-q", "main");
    await repo.commit("here", { "a.ts": "2" });
    await repo.git("merge", "-q", "--no-commit", "side");
    await repo.commit("merge");
    expect(await index(repo)).toEqual({ kind: "updated", added: 3, removed: 0 });
    const { order, ...rest } = await contents(repo);
    expect(order).toHaveLength(3);
    expect({ order, ...rest }).toEqual(await fresh(repo));
  });

  test.each([
    { what: "main renamed a file before a branch edited it", renames: "main", first: "main" },
    { what: "main renamed a file after a branch edited it", renames: "main", first: "side" },
    { what: "a branch renamed a file before main edited it", renames: "side", first: "side" },
    { what: "a branch renamed a file after main edited it", renames: "side", first: "main" },
  ])("is updated over a merge where $what", async ({ renames, first }) => {
    await using repo = await testRepository();
    const text = "line\n".repeat(20);
    await repo.commit("first", { "old.ts": text });
    await repo.git("branch", "side");
    for (const branch of first === "main" ? ["main", "side"] : ["side", "main"]) {
      await repo.git("switch", "-q", branch);
      const isRename = branch === renames;
      await repo.commit(
        branch,
        isRename ? { "old.ts": null, "new.ts": text } : { "old.ts": `${text}more\n` },
      );
    }
    await repo.git("switch", "-q", "main");
    await index(repo);
    await repo.git("merge", "-q", "--no-commit", "side");
    await repo.commit("merge");
    expect(await index(repo)).toEqual({ kind: "updated", added: 2, removed: 0 });
    expect(await contents(repo)).toEqual(await fresh(repo));
    await repo.git("reset", "-q", "--hard", "HEAD~1");
    await index(repo);
    expect(await contents(repo)).toEqual(await fresh(repo));
  });

  test("is updated over a merge of a branch that is older than many commits", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "old.ts": "line\n".repeat(20) }, { at: 1_700_000_000 });
    await repo.git("switch", "-q", "-c", "side");
    await repo.git("mv", "old.ts", "new.ts");
    await repo.commit("renamed", {}, { at: 1_700_000_001 });
    await repo.git("switch", "-q", "main");
    const edits = Array.from({ length: 300 }, (_, edit) => {
      const who = `committer ann <ann@example.com> ${1_700_000_100 + edit} +0000`;
      const text = `${"line\n".repeat(20)}${edit}\n`;
      const from = edit === 0 ? "from refs/heads/main^0\n" : "";
      return `commit refs/heads/main\n${who}\ndata 4\nedit\n${from}M 100644 inline old.ts\ndata ${text.length}\n${text}\n`;
    });
    const input = edits.join("");
    await git.run(["fast-import", "--quiet"], { cwd: repo.path, input });
    await repo.git("reset", "-q", "--hard");
    await index(repo);
    await repo.git("merge", "-q", "--no-commit", "side");
    await repo.commit("merge");
    expect(await index(repo)).toEqual({ kind: "updated", added: 2, removed: 0 });
    expect(await contents(repo)).toEqual(await fresh(repo));
  });

  test("goes over to another branch without reading the history again (repo C20)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n".repeat(9), "b.ts": "1" });
    await repo.git("branch", "side");
    await repo.commit("main", { "a.ts": null, "moved.ts": "1\n".repeat(9) });
    await index(repo);
    await repo.git("checkout", "-q", "side");
    await repo.commit("side", { "b.ts": "2" });
    expect(await index(repo)).toEqual({ kind: "updated", added: 1, removed: 1 });
    expect(await contents(repo)).toEqual(await fresh(repo));
  });

  test("is built anew when the history was rewritten and the old one is gone", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    await repo.git("checkout", "-q", "--orphan", "other");
    await repo.commit("other", { "a.ts": "2" });
    await repo.git("branch", "-D", "main");
    await repo.git("reflog", "expire", "--expire=now", "--all");
    await repo.git("gc", "-q", "--prune=now");
    expect(await index(repo)).toEqual({ kind: "built" });
  });

  test("counts files of a bulk commit as touched, not as belonging together (repo S1)", async () => {
    await using repo = await testRepository();
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}.ts`, "1"]));
    await repo.commit("import", many);
    await index(repo);
    const { files } = await contents(repo);
    expect(files).toHaveLength(51);
    expect(files[0]).toMatchObject({ churn: 1, heat: 0 });
  });

  test("leaves out where a shallow clone ends (repo S1)", async () => {
    await using origin = await testRepository();
    await origin.commit("first", { "a.ts": "1", "b.ts": "1" });
    await origin.commit("second", { "c.ts": "1" });
    await origin.commit("third", { "a.ts": "2" });
    await using repo = await testRepository();
    await repo.git("fetch", "-q", "--depth", "2", `file://${origin.path}`, "main");
    await repo.git("reset", "-q", "--hard", "FETCH_HEAD");
    await index(repo);
    const { files, order } = await contents(repo);
    expect(order).toHaveLength(2);
    expect(files).toMatchObject([{ path: "a.ts", churn: 1 }]);
  });

  test("takes odd names and messages as they are (repo X6, X7, O8 to O10)", async () => {
    await using repo = await testRepository();
    const names = [
      " leading.ts",
      "trailing ",
      'quo"te.ts',
      "new\nline.ts",
      "naïve.txt",
      "{a => b}/c.ts",
      "-dash.ts",
      "a::b",
    ];
    await repo.commit(
      "odd \u001e\u001d\u001f names\n\nSecond paragraph: a.ts\n\nThird.",
      Object.fromEntries(names.map((name) => [name, "1"])),
    );
    await index(repo);
    const { files, order } = await contents(repo);
    expect(files.map((file) => (file as { path: string }).path)).toEqual(names.toSorted());
    expect(order).toMatchObject([{ subject: "odd \u001e\u001d\u001f names" }]);
  });

  test("keeps a name that is not UTF-8 in git's quoted form (repo X7)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    const blob = (await repo.git("hash-object", "-w", "a.ts")).trim();
    const tree = Buffer.concat([
      Buffer.from("100644 caf"),
      Buffer.from([0xe9]),
      Buffer.from(".ts\0"),
      Buffer.from(blob, "hex"),
    ]);
    await Bun.write(repo.join("tree"), tree);
    const hash = (await repo.git("hash-object", "-t", "tree", "-w", "tree")).trim();
    const commit = (await repo.git("commit-tree", hash, "-m", "latin", "-p", "HEAD")).trim();
    await repo.git("update-ref", "refs/heads/main", commit);
    await index(repo);
    const { files } = await contents(repo);
    expect(files).toMatchObject([{ path: '"caf\\351.ts"', churn: 2 }]);
  });

  test("takes dates before 1970, after 2100, and of absurd zones (repo X6, C15)", async () => {
    await using repo = await testRepository();
    await repo.commit("old", { "a.ts": "1" }, { at: 1 });
    await repo.commit("far", { "a.ts": "2" }, { at: 5_000_000_000 });
    const tree = (await repo.git("rev-parse", "HEAD^{tree}")).trim();
    const parent = (await repo.git("rev-parse", "HEAD")).trim();
    const raw = `tree ${tree}\nparent ${parent}\nauthor a <a@b> -12345 -7300\ncommitter a <a@b> -12345 -7300\n\nbefore\n`;
    await Bun.write(repo.join("raw"), raw);
    const args = ["hash-object", "-t", "commit", "--literally", "-w", "raw"];
    await repo.git("update-ref", "refs/heads/main", (await repo.git(...args)).trim());
    await index(repo);
    const { files, order } = await contents(repo);
    expect(order).toHaveLength(3);
    expect(files).toMatchObject([{ path: "a.ts", churn: 2 }]);
  });

  test("of a repository without commits is refused with the next step", async () => {
    await using repo = await testRepository();
    expect(index(repo)).rejects.toMatchObject({ code: "no_commits" });
  });

  test("stays as it was when indexing is interrupted, and leaves nothing behind (repo S5, O4)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    const before = await contents(repo);
    await repo.commit("second", { "a.ts": "2" });
    const interruption = new AbortController();
    const onProgress = () => interruption.abort(new Error("interrupted"));
    const { signal } = interruption;
    expect(index(repo, { full: true, signal, onProgress })).rejects.toThrow("interrupted");
    await index(repo, { full: true, signal, onProgress }).catch(() => {});
    expect(await contents(repo)).toEqual(before);
    expect(await readdir((await identify(repo)).dataFolder)).toEqual(["index.sqlite"]);
  });

  test("of a history with a lost file takes only equal files for renamed", async () => {
    await using repo = await testRepository();
    const text = "line\n".repeat(20);
    await repo.commit("first", { "old.ts": text, "same.ts": "same\n".repeat(9) });
    const lost = (await repo.git("rev-parse", "HEAD:old.ts")).trim();
    await repo.commit("move", {
      "old.ts": null,
      "new.ts": `${text}more\n`,
      "same.ts": null,
      "moved.ts": "same\n".repeat(9),
    });
    await rm(repo.join(".git/objects", lost.slice(0, 2), lost.slice(2)));
    expect(await index(repo)).toEqual({ kind: "built" });
    const { files } = await contents(repo);
    expect(files).toMatchObject([
      { path: "moved.ts", churn: 2 },
      { path: "new.ts", churn: 1 },
      { path: "old.ts", churn: 2 },
    ]);
  });

  test("that is damaged counts as missing and is built again", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    const { dataFolder } = await identify(repo);
    await Bun.write(`${dataFolder}/index.sqlite`, "not a database at all");
    expect(await index(repo)).toEqual({ kind: "built" });
  });

  test("can be built by two at once", async () => {
    await using repo = await testRepository();
    for (const round of [1, 2, 3]) await repo.commit(`edit ${round}`, { "a.ts": `${round}` });
    await Promise.all([index(repo, { full: true }), index(repo, { full: true })]);
    expect(await contents(repo)).toEqual(await fresh(repo));
  });

  test("is not brought up to date twice when another process was faster", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await index(repo);
    await repo.commit("second", { "a.ts": "2" });
    const overtaken: Git = {
      ...git,
      async run(args, options) {
        const result = await git.run(args, options);
        if (args[0] === "rev-list") await index(repo);
        return result;
      },
    };
    await indexHistory({ ...powers, git: overtaken }, await identify(repo), { files });
    expect(await contents(repo)).toEqual(await fresh(repo));
  });
});

describe("where the index is kept", () => {
  test("linked working trees share one; submodules have their own (repo D1, D5, O5, O6)", async () => {
    await using inner = await testRepository();
    await inner.commit("inner", { "i.ts": "1" });
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await repo.git("worktree", "add", "-q", repo.join("linked"), "-b", "feature");
    const submodule = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    await repo.git(...submodule, inner.path, "one");
    await repo.git(...submodule, inner.path, "two");
    const folderOf = async (path: string) =>
      (await findRepository(git, repo.join(path), repo.join("home"))).dataFolder;
    expect(await folderOf("linked")).toBe(repo.join(".pallium"));
    expect(await folderOf("one")).toBe(repo.join("one/.pallium"));
    expect(await folderOf("two")).toBe(repo.join("two/.pallium"));
  });

  test("a bare repository with working trees, and a separate git folder, keep it inside git", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1" });
    await repo.git("clone", "-q", "--bare", repo.path, repo.join("bare.git"));
    await repo.git("-C", repo.join("bare.git"), "worktree", "add", "-q", repo.join("tree"), "main");
    await repo.git("init", "-q", "--separate-git-dir", repo.join("apart.git"), repo.join("work"));
    const find = (path: string) => findRepository(git, repo.join(path), repo.join("home"));
    expect((await find("tree")).dataFolder).toBe(repo.join("bare.git/pallium"));
    expect((await find("work")).dataFolder).toBe(repo.join("apart.git/pallium"));
    expect(find("bare.git")).rejects.toMatchObject({ code: "bare_repository" });
  });

  test("a folder that is no repository is refused", async () => {
    await using repo = await testRepository();
    await repo.git("init", "-q", repo.join("x"));
    await chmod(repo.path, 0o755);
    expect(findRepository(git, "/", "/nonexistent")).rejects.toMatchObject({
      code: "not_a_repository",
    });
  });
});
