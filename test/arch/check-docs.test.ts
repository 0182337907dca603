import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { checkDocs } from "../../scripts/check-docs.ts";
import { shellWords } from "../../scripts/checks/documents.ts";
import { writeTree } from "../support/build.ts";
import { tempDir } from "../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../..");

test("this checkout's documents name what is there", async () => {
  expect(await checkDocs(ROOT)).toEqual([]);
});

async function findings(document: string): Promise<readonly string[]> {
  await using dir = await tempDir();
  await writeTree(dir.path, {
    "package.json": '{ "scripts": { "start": "true" } }',
    "src/lib/money.ts": "",
    "README.md": document,
  });
  return (await checkDocs(dir.path)).map(
    ({ line, rule, message }) => `${line} ${rule}: ${message}`,
  );
}

test("finds paths, links, scripts and commands that are not there", async () => {
  const document = [
    "See `src/lib/gone.ts`, `lib/nowhere/` and [this](docs/gone.md).",
    "Run `pallium workflow fly`, then `npm test` and `npm run fly`.",
    "```sh",
    "scripts/gone.sh",
    "pallium workflow run --sript review.js task | cat # a comment",
    "pallium workflow show \\",
    "  one two",
    "```",
  ].join("\n");
  expect(await findings(document)).toEqual([
    "1 link: the link docs/gone.md leads nowhere",
    "1 path: there is no src/lib/gone.ts",
    "1 path: there is no lib/nowhere/",
    "4 path: there is no scripts/gone.sh",
    "2 npm: package.json has no script test",
    "2 npm: package.json has no script fly",
    "5 command: flag provided but not defined: --sript",
    "6 command: usage: pallium workflow show <run-id> [flags]",
    "2 command: there is no command pallium workflow fly",
  ]);
});

test("allows what is there, and what belongs to the user", async () => {
  const document = [
    "See `src/lib/money.ts`, `lib/money.ts`, `src/lib/`, [it](src/lib/money.ts#top), [web](https://x.test/y).",
    "Files: `~/.pallium/workflows/a.js`, `.pallium/workflows/`, `/tmp/x.ts`, `review.js`, `a/b`.",
    "Run `pallium workflow run`, `pallium <command> --help`, `npm start`, `npm ci`.",
    "```sh",
    'A=1 pallium workflow run --script mine/review.js "review the last commit" > out.json',
    "pallium workflow read <run-id>",
    "pallium workflow run [task...]",
    "```",
    "```js",
    "pallium nonsense",
    "```",
  ].join("\n");
  expect(await findings(document)).toEqual([]);
});

test("shell words end at operators and lose their quotes", () => {
  expect(shellWords(`A="x y" pallium run 'a b' "c \\" d" --x=<id> <run-id> # no`)).toEqual([
    "pallium",
    "run",
    "a b",
    'c \\" d',
    "--x=<id>",
    "<run-id>",
  ]);
  expect(shellWords("pallium list > out")).toEqual(["pallium", "list"]);
  expect(shellWords("pallium list && rm x")).toEqual(["pallium", "list"]);
});
