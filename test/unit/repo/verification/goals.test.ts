import { expect, test } from "bun:test";
import { justGoals, makeGoals, taskGoals } from "../../../../src/repo/verification/goals.ts";
import { files, shown } from "../../../support/plan.ts";

test("a goal of make is a rule, not a piece of text (repo L10)", () => {
  const text = [
    "# test: in a comment",
    "test := none",
    "lint ::= none",
    "pytest: deps ; run",
    "check: FLAGS := -v",
    ".PHONY: build",
    "define body",
    "typecheck:",
    "endef",
    "docs site: x.md \\",
    "  y.md",
    "\ttests: in a recipe",
    "%.o: %.c",
    "$(NAME): x",
    "release::",
  ].join("\n");
  expect([...makeGoals(text)]).toEqual(["pytest", "docs", "site", "release"]);
});

test("a recipe of just runs when it needs no argument", () => {
  const text = [
    "set shell := ['bash']",
    "version := '1'",
    "alias t := test",
    "@test *args: build",
    "    cargo test: {{args}}",
    "lint level='2':",
    "deploy where:",
    "build:",
  ].join("\n");
  expect([...justGoals(text)]).toEqual(["t", "test", "lint", "build"]);
});

test("tasks are the keys below tasks", () => {
  const text =
    "version: '3'\nvars:\n  test: x\ntasks:\n  # the tests\n  test:\n    cmds:\n      - go test\n  'lint':\n    desc: x\nincludes:\n  build: x\n";
  expect([...taskGoals(text)]).toEqual(["test", "lint"]);
});

test("the nearest file that has the goal is taken, under each of its names (repo L9, L10)", () => {
  const repository = files("sub/x.c", {
    GNUmakefile: "test:\n",
    Makefile: "check:\n",
    "sub/makefile": "lint:\n",
    justfile: "test:\n",
    "Taskfile.yml": "tasks:\n  build:\n",
  });
  expect(shown(repository, ["sub/x.c"])).toEqual({
    fast: [],
    safe: ["make test", "just test"],
    full: ["make -C sub lint", "just test", "task build"],
  });
});
