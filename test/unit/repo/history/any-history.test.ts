/** Whatever the history, an index that grew and went back holds what one that is built at once does. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { openIndex } from "../../../../src/repo/history/present-index.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { indexRepository } from "../../../../src/repo/index-repository.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";
import { clockAt } from "../../../support/view.ts";

const git = createGit(GIT_VARIABLES);
const powers = { git, clock: clockAt(Date.UTC(2026, 10, 1) / 1000) };

/** Everything in the index, by names instead of ids. */
async function contents(repo: TestRepository, full: boolean) {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  await indexRepository(powers, repository, { full });
  using index = await openIndex(repository);
  if (index === undefined) throw new Error("no index");
  const columns = index
    .all<{ name: string; type: string }>("SELECT name, type FROM pragma_table_info('files')")
    .filter(({ name }) => name !== "id")
    .map(({ name, type }) => (type === "REAL" ? `round(${name}, 6) AS ${name}` : name));
  return {
    state: index.all("SELECT head FROM state"),
    files: index.all(`SELECT ${columns} FROM files ORDER BY path`),
    commits: index.all("SELECT hex(hash) AS hash, subject, file_count FROM commits ORDER BY id"),
    touches: index.all(
      `SELECT hex(hash) AS hash, path FROM touches JOIN commits ON commits.id = commit_id
         JOIN files ON files.id = file_id ORDER BY commit_id, path`,
    ),
    renames: index.all(
      `SELECT hex(hash) AS hash, old_path, path FROM renames JOIN commits ON commits.id = commit_id
         JOIN files ON files.id = file_id ORDER BY commit_id, path`,
    ),
    scans: index.all("SELECT * FROM scans ORDER BY blob, read_as"),
    links: index.all(
      `SELECT a.path, kind, b.path AS target FROM links
         JOIN files AS a ON a.id = from_id JOIN files AS b ON b.id = to_id ORDER BY 1, 3`,
    ),
  };
}

const FILES = [0, 1, 2, 3, 4];
const file = fc.nat(FILES.length - 1);

/** What a random history does next. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("edit" as const), file, text: fc.nat(9) }),
  fc.record({ kind: fc.constant("remove" as const), file }),
  fc.record({ kind: fc.constant("move" as const), file, to: file }),
  fc.record({ kind: fc.constant("index" as const) }),
  fc.record({ kind: fc.constant("back" as const), commits: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("other branch" as const) }),
  fc.record({ kind: fc.constant("merge" as const), theirs: fc.uniqueArray(file) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Text by file. */
type Model = ReadonlyMap<number, string>;

interface Place {
  readonly hash: string;
  readonly model: Model;
}

const NOTHING: Model = new Map();
const pathOf = (file: number) => `dir/file${file}.ts`;

/** The files of a model, and that the others are gone. */
function filesOf(model: Model): Readonly<Record<string, string | null>> {
  return Object.fromEntries(FILES.map((file) => [pathOf(file), model.get(file) ?? null]));
}

function edited(model: Model, next: Step): Model {
  const after = new Map(model);
  if (next.kind === "edit") {
    const text = model.get(next.file) ?? `// ${next.file}\n`.repeat(12);
    after.set(next.file, `${text}import "./file${next.text}";\n`);
  } else if (next.kind === "remove") {
    after.delete(next.file);
  } else if (next.kind === "move" && model.has(next.file)) {
    after.delete(next.file);
    after.set(next.to, model.get(next.file) ?? "");
  }
  return after;
}

/** @param their model of the other branch. */
function merged(model: Model, their: Model, theirs: readonly number[]): Model {
  return new Map([
    ...[...model].filter(([file]) => !theirs.includes(file)),
    ...[...their].filter(([file]) => theirs.includes(file)),
  ]);
}

/** Takes the steps on the branches `main` and `other`, which grow apart and merge one another. */
async function take(repo: TestRepository, steps: readonly Step[]): Promise<void> {
  const start = { hash: await repo.commit("start", { "readme.md": "1" }), model: NOTHING };
  await repo.git("branch", "other");
  let here: Place[] = [start];
  let there: Place[] = [start];
  const model = (places: readonly Place[]) => places.at(-1)?.model ?? NOTHING;
  for (const next of steps) {
    if (next.kind === "index") await contents(repo, false);
    else if (next.kind === "other branch") {
      const branch = (await repo.git("branch", "--show-current")).trim();
      await repo.git("switch", "-q", branch === "main" ? "other" : "main");
      [here, there] = [there, here];
    } else if (next.kind === "back") {
      here = here.slice(0, Math.max(1, here.length - next.commits));
      await repo.git("reset", "-q", "--hard", here.at(-1)?.hash ?? "");
    } else {
      const isMerge = next.kind === "merge";
      const other = there.at(-1)?.hash ?? "";
      if (isMerge) await repo.git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", other);
      const after = isMerge
        ? merged(model(here), model(there), next.theirs)
        : edited(model(here), next);
      const hash = await repo.commit(next.kind, filesOf(after));
      here = [...here, { hash, model: after }];
    }
  }
}

test("an index that grew and went back is the one built at once, whatever the history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
      await using repo = await testRepository();
      await take(repo, steps);
      const grown = await contents(repo, false);
      expect(grown).toEqual(await contents(repo, true));
    }),
    { numRuns: 16 },
  );
}, 60_000);
