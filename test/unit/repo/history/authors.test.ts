/** How many people wrote a file is the same in an index that was updated and in a fresh one. */
import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { openIndex } from "../../../../src/repo/history/present-index.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { indexRepository } from "../../../../src/repo/index-repository.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);
const powers = { git, clock: systemClock() };

async function index(repo: TestRepository, full = false) {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  return indexRepository(powers, repository, { full });
}

/** How many people wrote each source file. */
async function authors(repo: TestRepository): Promise<Record<string, number>> {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  using index = await openIndex(repository);
  const sql = "SELECT path, author_count FROM files WHERE path LIKE '%.ts' ORDER BY path";
  const rows = index?.all<{ path: string; author_count: number }>(sql) ?? [];
  return Object.fromEntries(rows.map(({ path, author_count }) => [path, author_count]));
}

async function expectAuthors(repo: TestRepository, wanted: Record<string, number>) {
  expect(await authors(repo)).toEqual(wanted);
  await index(repo, true);
  expect(await authors(repo)).toEqual(wanted);
}

/** Commits a new line of a file under a name and address. */
async function commitAs(repo: TestRepository, author: string, path: string, ...trailers: string[]) {
  await repo.write({ [path]: `${crypto.randomUUID()}\n` });
  await repo.git("add", "-A");
  await repo.git("commit", "-q", `--author=${author}`, "-m", `edit\n\n${trailers.join("\n")}`);
}

test("one person under two addresses, once .mailmap says so", async () => {
  await using repo = await testRepository();
  await commitAs(repo, "Ann <ann@example.com>", "a.ts");
  await commitAs(repo, "Ann <ann@home.example>", "a.ts");
  await index(repo);
  expect(await authors(repo)).toEqual({ "a.ts": 2 });
  await repo.commit("say who is who", { ".mailmap": "Ann <ann@example.com> <ann@home.example>\n" });
  expect(await index(repo)).toEqual({ kind: "built" });
  await expectAuthors(repo, { "a.ts": 1 });
  await repo.write({ ".mailmap": "" });
  expect(await index(repo)).toEqual({ kind: "built" });
  await expectAuthors(repo, { "a.ts": 2 });
});

test("who is named in a message is who .mailmap says, in whatever case", async () => {
  await using repo = await testRepository();
  await repo.commit("who is who", { ".mailmap": "Ann <ann@example.com> <ann@home.example>\n" });
  const named = "Co-authored-by: Anna <Ann@Home.example>";
  await commitAs(repo, "Ann <ann@example.com>", "old.ts", named, "Co-authored-by: <b@example.com>");
  await index(repo);
  expect(await authors(repo)).toEqual({ "old.ts": 2 });
  await commitAs(repo, "Ann <ann@example.com>", "new.ts", named);
  await commitAs(repo, "Bea <bea@example.com>", "new.ts", named);
  expect(await index(repo)).toMatchObject({ kind: "updated" });
  await expectAuthors(repo, { "new.ts": 2, "old.ts": 2 });
});

test("odd addresses in messages are taken as they are, or for none", async () => {
  await using repo = await testRepository();
  await commitAs(
    repo,
    "Ann <ann@example.com>",
    "a.ts",
    "Co-authored-by: < >",
    "Co-authored-by: x <y<z>",
    "Co-authored-by: <<z>>",
    "Co-authored-by:  spaces  < b @example.com >",
    "Co-authored-by: Ünï\u0001 <b @example.com>\r",
  );
  await index(repo);
  await expectAuthors(repo, { "a.ts": 2 });
});

test("an address that a program and a person share is both", async () => {
  await using repo = await testRepository();
  await commitAs(repo, "renovate[bot] <ci@example.com>", "program.ts");
  await index(repo);
  await commitAs(repo, "Joe <ci@example.com>", "person.ts");
  await commitAs(repo, "Bea <bea@example.com>", "both.ts", "Co-authored-by: Joe <ci@example.com>");
  await commitAs(
    repo,
    "Bea <bea@example.com>",
    "one.ts",
    "Co-authored-by: renovate[bot] <ci@example.com>",
  );
  expect(await index(repo)).toMatchObject({ kind: "updated" });
  await expectAuthors(repo, { "both.ts": 2, "one.ts": 1, "person.ts": 1, "program.ts": 0 });
});
