/** Which file a specifier of JavaScript means, and where a name comes from. */
import { expect, test } from "bun:test";
import { createResolver } from "../../../../../src/repo/imports/resolver.ts";
import { type Files, meaning, targetsOf, treeOf } from "../../../../support/source-tree.ts";

test.each([
  ["./a", "src/a.ts"],
  ["./a.js", "src/a.ts"],
  ["./a.ts", "src/a.ts"],
  ["./c.jsx", "src/c.tsx"],
  ["./c.js", "src/c.tsx"],
  ["./e.mjs", "src/e.mts"],
  ["./f.cjs", "src/f.cts"],
  ["./d", "src/d/index.ts"],
  ["./d/", "src/d/index.ts"],
  ["./d/index.js", "src/d/index.ts"],
  ["../lib", "lib/index.js"],
  ["..", "index.mjs"],
  [".", "src/index.ts"],
  ["./types", "src/types.d.ts"],
  ["./data.json", "src/data.json"],
  ["./style.css", "src/style.css"],
  ["./App.vue", "src/App.vue"],
  ["./App", "src/App.vue"],
  ["./real.js", "src/real.js"],
  ["./a?raw", "src/a.ts"],
  ["./with.dots", "src/with.dots.ts"],
  ["./pkg", "src/pkg/code/start.js"],
])("a relative %p is %p (repo L3)", (specifier, expected) => {
  const paths =
    "src/a.ts src/c.tsx src/e.mts src/f.cts src/d/index.ts lib/index.js index.mjs src/index.ts src/types.d.ts src/data.json src/style.css src/App.vue src/real.js src/real.ts src/with.dots.ts src/pkg/code/start.js";
  const files = Object.fromEntries(paths.split(" ").map((path) => [path, ""]));
  files["src/pkg/package.json"] = `{"main": "./code/start.js"}`;
  expect(meaning(specifier, files)).toBe(expected);
});

test.each(["./no", "../../outside", "react", "node:fs", "https://x/y.js", "/etc/x", "./a/b"])(
  "%p means no file of the tree",
  (specifier) => {
    expect(meaning(specifier, { "src/a.ts": "", "outside.ts": "", "etc/x": "" })).toBeUndefined();
  },
);

test("a file that imports itself, or what is not there, is linked to nothing", () => {
  const files = { "a.ts": `import "./a";` };
  expect(createResolver(treeOf(files)).resolve("a.ts")).toEqual([]);
  expect(createResolver(treeOf(files)).resolve("b.ts")).toEqual([]);
});

test("what a module hands on is linked to where it comes from, as far as that goes", () => {
  const files: Files = {
    "src/index.ts": `export { a, b as c } from "./ab";
export * from "./stars";
export * as inner from "./inner";
import { other } from "./local";
export { other };
export { default as Local } from "./local";
export const own = 1;
`,
    "src/button.ts": `import base from "./ab"; import { two } from "./stars"; export default class {}`,
    "src/ab.ts": "export const a = 1, b = 2;",
    "src/stars/index.ts": `export * from "./one"; export * from './two'; export * from "..";`,
    "src/stars/one.ts": "export interface One {}",
    "src/stars/two.ts": "const two = 2; export { two, two as three };",
    "src/inner.ts": "export const hidden = 1;",
    "src/local.ts": "export default class {}; export function other() {}",
  };
  const test = (names: string) =>
    targetsOf({ ...files, "test/x.ts": `import ${names} from "../src";` }, "test/x.ts");
  expect(test("{ a }")).toEqual(["src/ab.ts", "src/index.ts"]);
  expect(test("{ type c as d }")).toEqual(["src/ab.ts", "src/index.ts"]);
  expect(test("{ One }")).toEqual(["src/index.ts", "src/stars/index.ts", "src/stars/one.ts"]);
  expect(test("{ three }")).toEqual(["src/index.ts", "src/stars/index.ts", "src/stars/two.ts"]);
  expect(test("{ inner }")).toEqual(["src/index.ts", "src/inner.ts"]);
  expect(test("{ Local, other }")).toEqual(["src/index.ts", "src/local.ts"]);
  expect(test("{ own }")).toEqual(["src/index.ts"]);
  expect(test("{ absent }")).toEqual(["src/index.ts"]);
  expect(test("{ hidden }")).toEqual(["src/index.ts"]);
  expect(test("* as all")).toEqual(["src/index.ts"]);
  const button = { ...files, "test/y.ts": `import two from "../src/button";` };
  expect(targetsOf(button, "test/y.ts")).toEqual(["src/button.ts"]);
});

test("modules that hand everything on to each other end soon", () => {
  const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
  const text = names.map((name) => `export * from "./${name}";`).join("\n");
  const files = Object.fromEntries(names.map((name) => [`src/${name}.ts`, text]));
  const tree = { ...files, "src/x.ts": `import { a } from "./m0"; import { b } from "./m1";` };
  expect(targetsOf(tree, "src/x.ts")).toEqual(["src/m0.ts", "src/m1.ts"]);
});

test("each manifest is read once, however many files ask (repo S4)", () => {
  const files: Record<string, string> = {
    "package.json": `{"name": "root", "workspaces": ["packages/*"]}`,
    "packages/a/package.json": `{"name": "a"}`,
    "packages/a/index.ts": "",
    "tsconfig.base.json": `{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}`,
    "tsconfig.json": `{"extends": "./tsconfig.base.json"}`,
    "src/target.ts": "",
  };
  for (let count = 0; count < 200; count += 1) {
    files[`src/f${count}.ts`] = `import "@/target"; import "a"; import "./f0";`;
  }
  const tree = treeOf(files);
  const reads = new Map<string, number>();
  const resolver = createResolver({
    ...tree,
    manifest(path) {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      return tree.manifest(path);
    },
  });
  const linked = [...tree.paths].filter((path) => resolver.resolve(path).length > 1);
  expect(linked.length).toBe(200);
  expect([...reads.values()].filter((count) => count > 1)).toEqual([]);
});
