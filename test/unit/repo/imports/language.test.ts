import { expect, test } from "bun:test";
import { isManifest, languageOf } from "../../../../src/repo/imports/language.ts";

test.each([
  ["a.ts a.mts a.cts a.tsx a.js a.mjs a.cjs a.jsx a.vue a.svelte a.d.ts", "javascript"],
  ["a.go a_test.go", "go"],
  ["a.py a.pyi", "python"],
  ["a.rs", "rust"],
  ["A.java", "java"],
  ["a.kt build.gradle.kts", "kotlin"],
  ["A.cs", "csharp"],
  ["a.rb Rakefile Gemfile config.ru a.gemspec a.rake", "ruby"],
  ["a.php", "php"],
  ["a.c a.h a.cc a.cpp a.cxx a.hh a.hpp a.hxx A.C A.H", "c"],
])("languageOf() knows %p (repo L3, L6)", (names, language) => {
  for (const name of names.split(" ")) {
    expect([name, languageOf(`src/${name}`)]).toEqual([name, language as never]);
  }
});

test.each(["a.md", "a.json", "Makefile", ".ts", "ts", "a.", "a.constructor", "a.__proto__", ""])(
  "languageOf(%p) is none",
  (path) => {
    expect(languageOf(path)).toBeUndefined();
  },
);

test("isManifest() names what resolvers read", () => {
  const manifests =
    "package.json app/tsconfig.json tsconfig.base.json base.tsconfig.json jsconfig.json packages/tsconfig/base.json packages/typescript-config/next.json pnpm-workspace.yaml go.mod sub/go.work pyproject.toml setup.cfg setup.py pytest.ini tox.ini Cargo.toml composer.json";
  for (const path of manifests.split(" ")) expect([path, isManifest(path)]).toEqual([path, true]);
  for (const path of [
    "package-lock.json",
    "my-package.json",
    "a/go.mod.txt",
    "Cargo.lock",
    "src/a.json",
  ]) {
    expect([path, isManifest(path)]).toEqual([path, false]);
  }
});
