import { expect, test } from "bun:test";
import { type Files, linksOf } from "../../../../support/source-tree.ts";

const FILES: Files = {
  "go.mod": "// The module\nmodule example.com/app // main\n\ngo 1.24\n",
  "go.work": "go 1.24\n\nuse (\n\t.\n\t./tools/gen\n)\n",
  "main.go": `package main

import (
	"fmt"

	"example.com/app/internal/store"
	gen "example.com/tools/gen"
	_ "example.com/app/internal/driver"
	"example.com/app/missing"
)

func main() { setup := func() {}; setup(); fmt.Println(store.Open(), gen.Run(), helper(), run.New()) }
`,
  "helper.go": "package main\n\nfunc helper() int { return 1 }\n",
  "run.go": "package main\n\nfunc unrelated() {}\n",
  "main_test.go": "package main\n\nfunc TestMain(t *testing.T) { helper() }\n\nfunc setup() {}\n",
  "internal/store/open.go": "package store\n\nfunc Open() *Store { return &Store{} }\n",
  "internal/store/store.go": "package store\n\ntype Store struct{}\n\nfunc (s *Store) Close() {}\n",
  "internal/store/new.go": "package store\n\nfunc New() {}\n",
  "internal/store/open_test.go": `package store_test

import . "example.com/app/internal/store"

func TestOpen(t *testing.T) { Open().Close(); shared() }
`,
  "internal/store/inner_test.go": "package store\n\nfunc TestInner() { New(); fixture() }\n",
  "internal/store/shared_test.go": "package store_test\n\nfunc shared() {}\n",
  "internal/store/fixture_test.go": "package store\n\nfunc fixture() {}\n",
  "internal/store/outer_test.go": "package store_test\n\nfunc fixture() {}\n",
  "internal/driver/linux.go": "//go:build linux\n\npackage driver\n\nfunc init() {}\n",
  "internal/driver/other.go": "//go:build !linux\n\npackage driver\n\nfunc init() {}\n",
  "tools/gen/go.mod": 'module "example.com/tools/gen"\n',
  "tools/gen/gen.go": "package gen\n\nfunc Run() {}\n",
  "other/helper.go": "package other\n\nfunc helper() {}\n",
};

test("a Go file links to what its imports take from packages of every module (repo L4)", () => {
  expect(linksOf(FILES, "main.go")).toEqual([
    "call helper.go",
    "import internal/store/open.go",
    "import tools/gen/gen.go",
    "package internal/driver/linux.go",
    "package internal/driver/other.go",
    "package internal/store/new.go",
    "package internal/store/store.go",
  ]);
});

test("a Go test links to the file whose function it calls, whatever that file is called (repo L4)", () => {
  expect(linksOf(FILES, "main_test.go")).toEqual(["call helper.go"]);
  expect(linksOf(FILES, "internal/store/inner_test.go")).toEqual([
    "call internal/store/fixture_test.go",
    "call internal/store/new.go",
  ]);
});

test("an external test package links to the package and its own files (repo L4)", () => {
  expect(linksOf(FILES, "internal/store/open_test.go")).toEqual([
    "call internal/store/shared_test.go",
    "import internal/store/open.go",
    "package internal/store/new.go",
    "package internal/store/store.go",
  ]);
});

test("no Go file links to tests, other packages of equal names, or by a file's name alone (repo L4, L8)", () => {
  expect(linksOf(FILES, "internal/store/open.go")).toEqual(["call internal/store/store.go"]);
  const links = linksOf(FILES, "main.go");
  expect(links.filter((link) => /run\.go|_test|other\/helper/.test(link))).toEqual([]);
});

test("the longest module path wins where modules lie in each other (repo L9)", () => {
  const files = {
    "go.mod": "module example.com/a\n",
    "sub/go.mod": "module example.com/a/sub\n",
    "sub/x/x.go": "package x\nfunc X() {}\n",
    "main.go": `package main\nimport "example.com/a/sub/x"\nfunc main() { x.X() }\n`,
  };
  expect(linksOf(files, "main.go")).toEqual(["import sub/x/x.go"]);
  const moved = { ...files, "sub/go.mod": "module example.com/b\n" };
  expect(linksOf(moved, "main.go")).toEqual(["import sub/x/x.go"]);
});
