/** Which file a specifier means: relative ones, aliases of tsconfig.json, and packages. */
import { expect, test } from "bun:test";
import { createResolver } from "../../../../../src/repo/imports/resolver.ts";
import { type Files, targetsOf, treeOf } from "../../../../support/source-tree.ts";

function importing(specifier: string): string {
  return `import "${specifier}";`;
}

/** What the specifier means in `src/main.ts` among the files. */
function meaning(specifier: string, files: Files, from = "src/main.ts"): string | undefined {
  return targetsOf({ ...files, [from]: importing(specifier) }, from)[0];
}

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
  const files = { "a.ts": importing("./a") };
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

const TYPICAL = `{
  // Where editors find the schema
  "$schema": "https://json.schemastore.org/tsconfig",
  "compilerOptions": {
    /* aliases */
    "baseUrl": ".",
    "paths": {
      "@/*": ["src/*"], // "no": ["x"],
      "~config": ["./config/main.ts",],
      "@/special/*": ["special/*", "src/fallback/*"],
    },
  },
  "include": ["**/*.ts", "src/**/*.tsx"],
}`;

test("aliases of a tsconfig with globs, URLs, comments and trailing commas work (repo L1)", () => {
  const files = {
    "tsconfig.json": TYPICAL,
    "src/a.ts": "",
    "config/main.ts": "",
    "special/one.ts": "",
    "src/fallback/two.ts": "",
    "lib/b.ts": "",
  };
  expect(meaning("@/a", files)).toBe("src/a.ts");
  expect(meaning("~config", files)).toBe("config/main.ts");
  expect(meaning("@/special/one", files)).toBe("special/one.ts");
  expect(meaning("@/special/two", files)).toBe("src/fallback/two.ts");
  expect(meaning("lib/b", files)).toBe("lib/b.ts");
});

test("paths are relative to baseUrl, or else to the folder of their config (repo L2)", () => {
  const base = `{"compilerOptions": {"baseUrl": "./code", "paths": {"#/*": ["./*"]}}}`;
  const plain = `{"compilerOptions": {"paths": {"#/*": ["./code/*"]}}}`;
  for (const config of [base, plain]) {
    const files = { "app/tsconfig.json": config, "app/code/a.ts": "", "a.ts": "", "app/a.ts": "" };
    expect(meaning("#/a", files, "app/src/main.ts")).toBe("app/code/a.ts");
  }
});

test("paths of a config replace those of what it extends; targets stay with their folder (repo L2)", () => {
  const files = {
    "config/base.json": `{"compilerOptions": {"paths": {"@/*": ["../shared/*"], "$/*": ["../x/*"]}}}`,
    "config/tsconfig.json": `{"extends": "./base.json"}`,
    "app/tsconfig.json": `{"extends": "../config/tsconfig"}`,
    "own/tsconfig.json": `{"extends": "../config/tsconfig.json", "compilerOptions": {"paths": {"$/*": ["./y/*"]}}}`,
    "shared/a.ts": "",
    "x/b.ts": "",
    "own/y/b.ts": "",
  };
  const tree = { ...files, "config/tsconfig.base.json": files["config/base.json"] };
  tree["config/tsconfig.json"] = `{"extends": "./tsconfig.base.json"}`;
  expect(meaning("@/a", tree, "app/main.ts")).toBe("shared/a.ts");
  expect(meaning("$/b", tree, "own/main.ts")).toBe("own/y/b.ts");
  expect(meaning("@/a", tree, "own/main.ts")).toBeUndefined();
});

test("a list in extends counts from left to right, packages of the workspace included (repo L1)", () => {
  const files = {
    "package.json": `{"workspaces": ["packages/*"]}`,
    "packages/config/package.json": `{"name": "@acme/tsconfig"}`,
    "packages/config/tsconfig.json": `{"compilerOptions": {"paths": {"a/*": ["../first/*"]}}}`,
    "packages/config/tsconfig.lib.json": `{"compilerOptions": {"paths": {"a/*": ["../second/*"]}}}`,
    "packages/first/x.ts": "",
    "packages/second/x.ts": "",
    "packages/app/tsconfig.json": `{"extends": ["@acme/tsconfig", "@acme/tsconfig/tsconfig.lib"]}`,
    "packages/other/tsconfig.json": `{"extends": "@acme/tsconfig"}`,
  };
  expect(meaning("a/x", files, "packages/app/main.ts")).toBe("packages/second/x.ts");
  expect(meaning("a/x", files, "packages/other/main.ts")).toBe("packages/first/x.ts");
});

test("configs that extend each other in a circle end", () => {
  const files = {
    "tsconfig.json": `{"extends": "./tsconfig.b.json", "compilerOptions": {"paths": {"@/*": ["src/*"]}}}`,
    "tsconfig.b.json": `{"extends": "./tsconfig.json"}`,
    "src/a.ts": "",
  };
  expect(meaning("@/a", files)).toBe("src/a.ts");
});

test("the nearest config counts, and a broken one gives no alias", () => {
  const files = {
    "tsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}`,
    "app/jsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["code/*"]}}}`,
    "bad/tsconfig.json": `{"compilerOptions": {`,
    "src/a.ts": "",
    "app/code/a.ts": "",
  };
  expect(meaning("@/a", files, "lib/deep/main.ts")).toBe("src/a.ts");
  expect(meaning("@/a", files, "app/deep/main.ts")).toBe("app/code/a.ts");
  expect(meaning("@/a", files, "bad/main.ts")).toBeUndefined();
});

test("a config that only refers to others takes their aliases", () => {
  const files = {
    "tsconfig.json": `{"files": [], "references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}]}`,
    "tsconfig.node.json": "{}",
    "tsconfig.app.json": `{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}`,
    "src/a.ts": "",
  };
  expect(meaning("@/a", files)).toBe("src/a.ts");
});

const WORKSPACE: Files = {
  "package.json": `{"name": "root", "workspaces": {"packages": ["packages/*", "!packages/old"]}}`,
  "packages/core/package.json": `{
    "name": "@acme/core",
    "exports": {
      ".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"},
      "./server": {"node": {"import": "./dist/server.mjs"}},
      "./features/*": "./dist/features/*.js",
      "./features/admin/*": "./dist/admin/*.js",
      "./features/private/*": null
    }
  }`,
  "packages/core/src/index.ts": "",
  "packages/core/src/server.ts": "",
  "packages/core/src/features/login.ts": "",
  "packages/core/src/features/admin/users.ts": "",
  "packages/core/src/admin/users.ts": "",
  "packages/core/src/features/login.test.ts": "",
  "packages/ui/package.json": `{"name": "ui", "main": "lib/main.js", "types": "lib/main.d.ts"}`,
  "packages/ui/src/main.tsx": "",
  "packages/ui/src/button.tsx": "",
  "packages/plain/package.json": `{"name": "plain"}`,
  "packages/plain/index.js": "",
  "packages/plain/deep/file.js": "",
  "packages/old/package.json": `{"name": "old"}`,
  "packages/old/index.js": "",
  "packages/app/test/fixtures/react/package.json": `{"name": "react"}`,
  "packages/app/test/fixtures/react/index.js": "",
  "packages/app/package.json": `{
    "name": "app",
    "dependencies": {"linked": "file:../../elsewhere/linked"},
    "imports": {"#db": {"default": "./src/db.js"}, "#lib/*": "./src/lib/*.js", "#core": "@acme/core"}
  }`,
  "packages/app/src/db.ts": "",
  "packages/app/src/lib/date.ts": "",
  "packages/app/src/index.ts": "",
  "elsewhere/linked/package.json": `{"name": "linked", "module": "esm/index.mjs"}`,
  "elsewhere/linked/source/index.ts": "",
};

test.each([
  ["@acme/core", "packages/core/src/index.ts"],
  ["@acme/core/server", "packages/core/src/server.ts"],
  ["@acme/core/features/login", "packages/core/src/features/login.ts"],
  ["@acme/core/features/admin/users", "packages/core/src/admin/users.ts"],
  ["@acme/core/features/private/x", undefined],
  ["ui", "packages/ui/src/main.tsx"],
  ["ui/src/button", "packages/ui/src/button.tsx"],
  ["ui/lib/button.js", "packages/ui/src/button.tsx"],
  ["plain", "packages/plain/index.js"],
  ["plain/deep/file", "packages/plain/deep/file.js"],
  ["#db", "packages/app/src/db.ts"],
  ["#lib/date", "packages/app/src/lib/date.ts"],
  ["#core", "packages/core/src/index.ts"],
  ["app", "packages/app/src/index.ts"],
  ["linked", "elsewhere/linked/source/index.ts"],
  ["old", undefined],
  ["react", undefined],
  ["@acme/missing", undefined],
])("in a workspace %p is %p (repo L3)", (specifier, expected) => {
  expect(meaning(specifier, WORKSPACE, "packages/app/src/deep/main.ts")).toBe(expected);
});

test("packages of a pnpm workspace are found by its globs (repo L3)", () => {
  const files = {
    "pnpm-workspace.yaml": `# all
packages:
  # apps
  - "apps/**"
  - 'libs/*' # libraries
  - '!**/fixtures/**'
catalog:
  - "other/*"
`,
    "apps/web/site/package.json": `{"name": "site"}`,
    "apps/web/site/index.ts": "",
    "libs/one/package.json": `{"name": "one"}`,
    "libs/one/index.ts": "",
    "apps/web/fixtures/two/package.json": `{"name": "two"}`,
    "apps/web/fixtures/two/index.ts": "",
    "other/three/package.json": `{"name": "three"}`,
    "other/three/index.ts": "",
  };
  expect(meaning("site", files)).toBe("apps/web/site/index.ts");
  expect(meaning("one", files)).toBe("libs/one/index.ts");
  expect(meaning("two", files)).toBeUndefined();
  expect(meaning("three", files)).toBeUndefined();
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
