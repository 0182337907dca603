/** Packages of workspaces: which there are, and what their exports and imports mean (repo L3). */
import { expect, test } from "bun:test";
import { type Files, meaning } from "../../../../support/source-tree.ts";

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
