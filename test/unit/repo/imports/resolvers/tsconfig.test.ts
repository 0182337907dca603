/** Aliases of tsconfig.json (repo L1, L2). */
import { expect, test } from "bun:test";
import { meaning } from "../../../../support/source-tree.ts";

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
