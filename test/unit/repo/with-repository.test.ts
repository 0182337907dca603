import { describe, expect, test } from "bun:test";
import { findRepository } from "../../../src/repo/identity.ts";
import { indexRepository } from "../../../src/repo/index-repository.ts";
import {
  type EarlySession,
  type EarlyWork,
  withRepository,
} from "../../../src/repo/with-repository.ts";
import { repoPowers, SILENT } from "../../support/reports.ts";
import { type TestRepository, testRepository } from "../../support/repository.ts";
import { tempDir } from "../../support/temp.ts";

/** What a command is handed that counts the files early on, and then. */
async function ask(repo: TestRepository, { begin = count, ...early }: Partial<EarlyWork<number>>) {
  await using home = await tempDir();
  const powers = repoPowers(repo.path, home.path);
  return await withRepository(
    powers,
    {},
    SILENT,
    async ({ view }, found) => ({ early: found, files: view.files.paths.size }),
    { early: { begin, ...early } },
  );
}

async function count({ view }: EarlySession): Promise<number> {
  return view.files.paths.size;
}

async function refuse(): Promise<number> {
  throw new RangeError("refused");
}

async function indexed(): Promise<TestRepository> {
  const repo = await testRepository();
  await repo.commit("begin", { "a.ts": "", "b.ts": "" });
  const powers = repoPowers(repo.path, repo.join("home"));
  await indexRepository(powers, await findRepository(powers.git, repo.path, powers.home));
  return repo;
}

describe("what a command begins early", () => {
  test("counts where all is as it was committed", async () => {
    await using repo = await indexed();
    expect(await ask(repo, {})).toEqual({ early: 2, files: 2 });
  });

  test("does not count where something is not committed, unless it is about history alone", async () => {
    await using repo = await indexed();
    await repo.write({ "new.ts": "" });
    expect(await ask(repo, {})).toEqual({ early: undefined, files: 3 });
    expect(await ask(repo, { ofHistory: true })).toEqual({ early: 2, files: 3 });
  });

  test("does not count where the index lacked commits, and had it to its end", async () => {
    await using repo = await indexed();
    await repo.commit("more", { "c.ts": "" });
    const { git } = repoPowers(repo.path, repo.path);
    const ended = Promise.withResolvers<number>();
    const slowly = async (session: EarlySession) => {
      for (let turn = 0; turn < 5; turn += 1) await git.run(["log"], { cwd: repo.path });
      const rows = session.view.index.all("SELECT path FROM files").length;
      ended.resolve(rows);
      return rows;
    };
    expect(await ask(repo, { begin: slowly, ofHistory: true })).toEqual({
      early: undefined,
      files: 3,
    });
    expect(await ended.promise).toBe(2);
  });

  test("fails the command where it counts, and only there", async () => {
    await using repo = await indexed();
    const failed = await ask(repo, { begin: refuse }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: "refused" });
    await repo.write({ "new.ts": "" });
    expect(await ask(repo, { begin: refuse })).toEqual({ early: undefined, files: 3 });
  });
});

describe("a folder in which git does not work", () => {
  test("is called what git calls it, though a repository lies around it", async () => {
    await using repo = await indexed();
    await using home = await tempDir();
    const inside = repoPowers(repo.join(".git/refs"), home.path);
    const asked = withRepository(inside, {}, SILENT, async () => {});
    expect(await asked.catch((error: unknown) => error)).toMatchObject({ code: "bare_repository" });
  });
});
