import { expect, test } from "bun:test";
import fc from "fast-check";
import { scan } from "../../../../../src/repo/imports/scan.ts";
import { specifiersOf } from "../../../../support/source-tree.ts";

function imports(text: string): string[] {
  return specifiersOf("javascript", text);
}

test.each([
  ["a default import", `import a from "./a"`],
  ["single quotes without a blank", `import a from'./a'`],
  ["a namespace", `import * as a from "./a";`],
  ["several lines", `import {\n  one,\n  two as three, // why\n  type Four,\n} from "./a";`],
  ["a comment between", `import { one /* from "./x" */ } from /* y */ "./a";`],
  ["a side effect", `import "./a";`],
  ["types alone", `import type { A } from "./a";`],
  ["a default and names", `import a, { type B } from "./a" with { type: "json" };`],
  ["names without semicolons", `export default a\nimport b from "./a"`],
  ["an export of names", `export { one, two } from "./a";`],
  ["an export of all", `export * from "./a";`],
  ["an export of a namespace", `export * as a from "./a";`],
  ["an export of types", `export type { A } from "./a";`],
  ["a dynamic import", `const a = await import("./a");`],
  ["a dynamic import with a comment", `lazy(() => import(/* webpackChunkName: "./x" */ "./a"))`],
  ["a template without holes", "await import(`./a`)"],
  ["require", `const { a } = require("./a");`],
  ["require of TypeScript", `import a = require("./a");`],
  ["require.resolve", `jest.setup(require.resolve("./a"));`],
  ["a type import", `type A = typeof import("./a");`],
  ["a mock of vitest", `vi.mock("./a", () => ({ a: 1 }));`],
  ["a mock with a type", `vi.mock<typeof import("./a")>("./a");`],
  ["a mock of jest", `jest.mock('./a');`],
  ["a mock of Bun", `mock.module("./a", () => ({}));`],
  ["the actual module", `const a = await vi.importActual("./a");`],
  ["the actual module with a type", `jest.requireActual<Record<string, unknown>>("./a");`],
  ["a worker", `new Worker(new URL("./a", import.meta.url));`],
  ["code in a template", "const a = `$\u007bb(`$\u007brequire('./a')}`)} import './x'`;"],
  ["after a regular expression with quotes", `const r = /["'\`/*]/g;\nimport a from "./a";`],
  ["after a division", `const r = a / b; const s = c / d;\nimport a from "./a";`],
  ["after text of JSX", `const j = <p>Don't {x} &amp; won't</p>;\nimport a from "./a";`],
  ["after a closing tag", `const j = <a href="//x">y</a>;\nconst a = require("./a");`],
  [
    "in a Vue component",
    `<template>\n  <p>it's</p>\n</template>\n<script setup lang="ts">\nimport a from "./a";\n</script>\n<style>@import "./x";</style>`,
  ],
  [
    "in a Svelte component",
    `<script context="module">\nimport "./a";\n</script>\n<h1>Don't import "./x"</h1>`,
  ],
  ["behind a byte order mark", `\ufeffimport a from "./a";`],
  ["with Windows line ends", `import {\r\n  a,\r\n} from "./a";\r\n`],
])("scan() sees %s (repo L3)", (_, text) => {
  expect(imports(text)).toEqual(["./a"]);
});

test.each([
  ["a comment", `// import a from "./a";`],
  ["a block comment", `/*\nimport a from "./a";\nrequire("./a")\n*/`],
  ["a string", `const a = 'import a from "./a"';`],
  ["a string with escapes", `const a = "\\"; import b from './a'; \\"";`],
  ["a template", "const a = `\nimport a from './a';\nrequire('./a')\n`;"],
  ["a regular expression", `const a = /import "x"/; const b = /require\\("y"\\)/;`],
  ["a member", `loader.import("./a"); a.require("./a"); $require("./a");`],
  ["a computed path", "import(`./$\u007ba}.js`); require('./a' + b); import('./a' + b);"],
  ["text of JSX", `const j = <p>taken from "./a", or import "it"</p>;`],
  ["a URL of elsewhere", `new URL("./a", base);`],
  [
    "words of other code",
    `const from = "./a"; return from; Array.from("./a"); const x = { from: "./a" };`,
  ],
])("scan() sees no import in %s (repo L3)", (_, text) => {
  expect(imports(text)).toEqual([]);
});

test("scan() names each file once, in the order of the text", () => {
  const text = `import b from "./b"; import a from "./a"; vi.mock("./b"); require("c");`;
  expect(imports(text)).toEqual(["./b", "./a", "c"]);
});

test("scan() tells which names are taken from each module, and which are exported", () => {
  const text = `import one, { two as deux, type Three } from "./a";
import * as all from "./b";
import type Four from "./c";
import { type as kind, from } from "./d";
export * from "./e";
export { five as default } from "./f";
import "./g";
import type { Five } from "./h";
import type from "./i";
export type { Six } from "./j";
export default async function six() {}
export const seven = 7;
export abstract class Eight {}
const nine = 9;
export { nine as ten };
`;
  const { references, declares } = scan("javascript", text);
  expect(
    references.map(({ specifier, kind, names = [] }) => [specifier, kind, names.join(" ")]),
  ).toEqual([
    ["./a", "import", "two Three default"],
    ["./b", "import", "*"],
    ["./c", "import", "default"],
    ["./d", "import", "type from"],
    ["./e", "export", "*"],
    ["./f", "export", "five default"],
    ["./g", "import", ""],
    ["./h", "import", "Five"],
    ["./i", "import", "default"],
    ["./j", "export", "Six"],
  ]);
  expect(declares.toSorted()).toEqual(["Eight", "default", "seven", "six", "ten"]);
});

/** But the one that stands in the noise. */
const specifier = fc.stringMatching(/^\.\/[a-z]{1,6}$/).filter((path) => path !== "./no");
const NOISE = [
  `const a = "import x from './no'";`,
  `// import x from "./no"`,
  `/* require("./no") */`,
  "const t = `import './no' $\u007b1 + 1} $\u007b`a$\u007b2}`}`;",
  "const r = /['\"`]/.test(s) ? a / b : /[/]'/;",
  "if (a) { b() } else { c() }",
  "function f() { return /'/.test(x) }",
  "const o = { from: 1, import: 2 };",
];
const FORMS = [
  (path: string) => `import { a } from "${path}";`,
  (path: string) => `import\n  b,\n  { c as d }\nfrom '${path}';`,
  (path: string) => `import "${path}";`,
  (path: string) => `export * from "${path}";`,
  (path: string) => `await import("${path}");`,
  (path: string) => `e = require("${path}");`,
];

test("scan() finds what Bun finds in programs full of traps", () => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const line = fc.oneof(
    fc.constantFrom(...NOISE),
    fc.tuple(fc.constantFrom(...FORMS), specifier).map(([form, path]) => form(path)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = `${lines.join("\n")}\nuse(a, b, d, e);`;
      const theirs = lines.flatMap((one) => transpiler.scanImports(one).map(({ path }) => path));
      const written = lines.flatMap((one) => one.match(/"\.\/[a-z]+"|'\.\/[a-z]+'/g) ?? []);
      const ours = imports(text);
      for (const path of theirs) expect(ours).toContain(path);
      for (const path of ours) expect(written.map((quoted) => quoted.slice(1, -1))).toContain(path);
      expect(ours).not.toContain("./no");
    }),
  );
});

test("scan() reads the beginning of a text that is too long to be written by hand", () => {
  const long = `import "./a";\n${"x".repeat(2 ** 20)}\nimport "./b";`;
  expect(imports(long)).toEqual(["./a"]);
  expect(scan("javascript", long).declares).toEqual([]);
});
