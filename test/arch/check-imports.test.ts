import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { checkImports } from "../../scripts/check-imports.ts";
import { writeTree } from "../support/build.ts";
import { tempDir } from "../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../..");

test("this checkout keeps the house rules about modules", async () => {
  expect(await checkImports(ROOT)).toEqual([]);
});

/** The findings in a tree of these files alone, as `path:line rule`. */
async function findings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using dir = await tempDir();
  await writeTree(dir.path, {
    "package.json": '{ "dependencies": { "zod": "1" } }',
    "src/main.ts": "",
    ...files,
  });
  const found = await checkImports(join(dir.path));
  return found.map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

const NAMED = "export const value = 1;\n";

/** Each: what is wrong, the files, and what must be reported. */
const BROKEN: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] =
  [
    [
      "an import that points up",
      { "src/lib/a.ts": 'import { value } from "../cli/b.ts";\n', "src/cli/b.ts": NAMED },
      ["src/lib/a.ts:1 layer"],
    ],
    [
      "a type-only import that points up",
      { "src/lib/a.ts": '\nimport type { T } from "../cli/b.ts";\n', "src/cli/b.ts": NAMED },
      ["src/lib/a.ts:2 layer"],
    ],
    [
      "a type taken by import()",
      { "src/lib/a.ts": 'type T = import("../cli/b.ts").T;\n', "src/cli/b.ts": NAMED },
      ["src/lib/a.ts:1 layer"],
    ],
    [
      "a domain that imports another",
      {
        "src/repo/a.ts": 'import { value } from "../workflow/b.ts";\n',
        "src/workflow/b.ts": NAMED,
      },
      ["src/repo/a.ts:1 layer"],
    ],
    [
      "a worker that imports more than the protocol",
      {
        "workers/a.ts": 'import { value } from "../src/platform/b.ts";\n',
        "src/platform/b.ts": NAMED,
      },
      ["workers/a.ts:1 layer"],
    ],
    [
      "the repo worker, which may run its domain, when it imports more",
      {
        "workers/repo/a.ts":
          'import { value } from "../../src/repo/b.ts";\nimport "../../src/workflow/b.ts";\n',
        "src/repo/b.ts": NAMED,
        "src/workflow/b.ts": NAMED,
      },
      ["workers/repo/a.ts:2 layer"],
    ],
    [
      "a file of no layer",
      { "src/util/a.ts": 'import "./b.ts";\n', "src/util/b.ts": NAMED },
      ["src/util/a.ts:1 layer"],
    ],
    [
      "a cycle of types",
      {
        "src/lib/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
        "src/lib/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 1;\n',
      },
      ["src/lib/a.ts:1 cycle"],
    ],
    [
      "Bun in a domain",
      { "src/repo/a.ts": "export const f = () => Bun.file('x');\n" },
      ["src/repo/a.ts:1 runtime"],
    ],
    [
      "a module of Bun",
      { "src/repo/a.ts": 'import { Database } from "bun:sqlite";\n' },
      ["src/repo/a.ts:1 runtime"],
    ],
    [
      "process in a domain",
      { "src/repo/a.ts": "export const f = () => process.env.HOME;\n" },
      ["src/repo/a.ts:1 runtime"],
    ],
    [
      "files in a domain",
      { "src/repo/a.ts": 'import { readFileSync } from "node:fs";\n' },
      ["src/repo/a.ts:1 runtime"],
    ],
    [
      "random bytes in a domain",
      { "src/repo/a.ts": 'import { randomUUID } from "node:crypto";\n' },
      ["src/repo/a.ts:1 runtime"],
    ],
    [
      "the console in a command",
      { "src/cli/a.ts": "export const f = () => console.log(1);\n" },
      ["src/cli/a.ts:1 console"],
    ],
    [
      "a transaction by hand",
      { "src/repo/a.ts": 'export const sql = "begin immediate";\n' },
      ["src/repo/a.ts:1 transaction"],
    ],
    [
      "a module-level let",
      { "src/lib/a.ts": "export let count = 0;\n" },
      ["src/lib/a.ts:1 module-state"],
    ],
    [
      "a module-level cache",
      { "src/lib/a.ts": "const seen = new Map<string, number>();\n" },
      ["src/lib/a.ts:1 module-state"],
    ],
    [
      "a module-level list that is changed",
      { "src/lib/a.ts": "const all = [1];\nexport const add = (n: number) => all.push(n);\n" },
      ["src/lib/a.ts:1 module-state"],
    ],
    ["an index file", { "src/lib/index.ts": NAMED }, ["src/lib/index.ts:1 barrel"]],
    [
      "a re-export",
      { "src/lib/a.ts": 'export { value } from "./b.ts";\n', "src/lib/b.ts": NAMED },
      ["src/lib/a.ts:1 barrel"],
    ],
    [
      "an import without its extension",
      { "src/lib/a.ts": 'import { value } from "./b";\n', "src/lib/b.ts": NAMED },
      ["src/lib/a.ts:1 extension"],
    ],
    [
      "an import of nothing",
      { "test/a.ts": 'import { value } from "./b.ts";\n' },
      ["test/a.ts:1 missing-file"],
    ],
    [
      "a package that users do not get",
      { "src/lib/a.ts": 'import fc from "fast-check";\n' },
      ["src/lib/a.ts:1 dependency"],
    ],
    [
      "a slow library on the way to every command",
      {
        "src/main.ts": 'import "./app/run.ts";\n',
        "src/app/run.ts": 'import { schema } from "../operations/a.ts";\n',
        "src/operations/a.ts": 'import { z } from "zod";\nexport const schema = z.string();\n',
      },
      ["src/operations/a.ts:1 read-path"],
    ],
  ];

describe("finds", () => {
  test.each(BROKEN)("%s", async (_what, files, expected) => {
    expect(await findings(files)).toEqual([...expected]);
  });
});

/** Each: what is fine, and the files. */
const FINE: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    "words of the rules in comments, strings, templates and regular expressions",
    {
      "src/lib/a.ts": [
        '// import "../cli/b.ts"; Bun.file',
        "/* process.env; let it be */",
        'export const text = "Bun.file() and process.exit()";',
        "export const regex = /['`]process.env\\/[/]/;",
        `export const template = (name: string) => \`Bun.\${name.replace(/}/, "}")} console.log\`;`,
        "export const half = (a: number, b: number) => a / b / 2;",
      ].join("\n"),
    },
  ],
  [
    "the way down, and workflow to repo",
    {
      "src/cli/a.ts": 'import type { T } from "../workflow/b.ts";\nexport type U = T;\n',
      "src/workflow/b.ts": 'import { value } from "../repo/c.ts";\nexport type T = typeof value;\n',
      "src/repo/c.ts": NAMED,
    },
  ],
  [
    "tables that nobody changes",
    {
      "src/lib/a.ts":
        "const NAMES = new Map([[1, 'a']]);\nexport const nameOf = (n: number) => NAMES.get(n);\n",
    },
  ],
  [
    "a slow library behind import()",
    {
      "src/main.ts": 'export const load = () => import("./operations/a.ts");\n',
      "src/operations/a.ts": 'import { z } from "zod";\nexport const schema = z.string();\n',
    },
  ],
  [
    "the runtime in its places",
    {
      "src/platform/a.ts":
        'import { readFileSync } from "node:fs";\nexport const b = Bun.version;\n',
      "src/platform/sqlite/b.ts": 'export const sql = "BEGIN IMMEDIATE";\n',
    },
  ],
];

describe("allows", () => {
  test.each(FINE)("%s", async (_what, files) => {
    expect(await findings(files)).toEqual([]);
  });
});
