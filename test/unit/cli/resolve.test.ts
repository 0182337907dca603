import { describe, expect, test } from "bun:test";
import type { CommandGroup } from "../../../src/cli/command.ts";
import { leaves, resolve } from "../../../src/cli/resolve.ts";
import { testCommand, testRoot } from "../../support/cli-program.ts";

const ROOT = testRoot({ echo: testCommand() }, { list: testCommand(), show: testCommand() });
const WITH_FALLBACK = testRoot({}, { list: testCommand() }, "list");

function resolved(argv: readonly string[], root = ROOT) {
  const { path, node, words, unknown, help } = resolve(root, argv);
  return { path: path.join(" "), kind: node.kind, words, unknown, help };
}

test("resolve() finds commands and leaves them their words", () => {
  expect(resolved(["echo", "a", "--b"])).toMatchObject({
    path: "pallium echo",
    words: ["a", "--b"],
  });
  expect(resolved(["things", "list", "x"])).toMatchObject({
    path: "pallium things list",
    words: ["x"],
  });
  expect(resolved(["stuff", "list"])).toMatchObject({
    path: "pallium things list",
    kind: "command",
  });
});

test("resolve() lets global flags stand anywhere, and no others in front of a name", () => {
  expect(resolved(["--json", "things", "-quiet", "list", "x"])).toMatchObject({
    path: "pallium things list",
    words: ["--json", "-quiet", "x"],
  });
  expect(resolved(["things", "--limit", "3", "list"])).toMatchObject({
    path: "pallium things",
    kind: "group",
    unknown: undefined,
  });
});

test("resolve() names the word that names nothing", () => {
  expect(resolved(["nothing"])).toMatchObject({ path: "pallium", unknown: "nothing" });
  expect(resolved(["things", "nothing", "x"])).toMatchObject({ unknown: "nothing", kind: "group" });
  expect(resolved(["constructor"])).toMatchObject({ unknown: "constructor" });
});

test("resolve() falls back where the group says so", () => {
  for (const argv of [["things"], ["things", "--kind", "x"], ["things", "--"]]) {
    expect(resolved(argv, WITH_FALLBACK).path).toBe("pallium things list");
  }
  expect(resolved(["things", "x"], WITH_FALLBACK).unknown).toBe("x");
  expect(resolved(["things"])).toMatchObject({ path: "pallium things", kind: "group" });
});

describe("the word help", () => {
  test.each([
    [["things", "help"], "pallium things"],
    [["things", "help", "list"], "pallium things list"],
    [["things", "list", "a", "help"], "pallium things list"],
    [["things", "list", "--id", "help"], "pallium things list"],
  ])("asks for help within a group: %p", (argv, path) => {
    expect(resolved(argv)).toMatchObject({ path, help: true });
  });

  test("is a word of a question, unless it stands alone or in front (oracle 18 of sessions)", () => {
    const ask: CommandGroup = {
      ...ROOT,
      children: {
        things: {
          kind: "group",
          summary: "",
          children: {
            ask: {
              kind: "command",
              summary: "",
              freeText: true,
              load: () => Promise.reject(new Error("no")),
            },
          },
        },
      },
    };
    const asked = (...words: string[]) => {
      const { path, words: left, help } = resolve(ask, ["things", ...words]);
      return { path: path.join(" "), left, help };
    };
    const path = "pallium things ask";
    expect(asked("ask", "help", "with", "auth")).toEqual({
      path,
      left: ["help", "with", "auth"],
      help: false,
    });
    expect(asked("--json", "ask", "auth", "help")).toEqual({
      path,
      left: ["--json", "auth", "help"],
      help: false,
    });
    for (const words of [
      ["ask", "help"],
      ["ask", "--json", "help"],
      ["help", "ask"],
    ]) {
      expect(asked(...words)).toMatchObject({ path, help: true });
    }
  });

  test("is a word like others outside of groups and behind --", () => {
    expect(resolved(["echo", "help"])).toMatchObject({ help: false, words: ["help"] });
    expect(resolved(["things", "list", "--", "help"])).toMatchObject({
      help: false,
      words: ["--", "help"],
    });
  });
});

test("leaves() lists every command with its path", () => {
  const paths = [...leaves(ROOT, ["pallium"])].map(({ path }) => path.join(" "));
  expect(paths).toEqual(["pallium echo", "pallium things list", "pallium things show"]);
});
