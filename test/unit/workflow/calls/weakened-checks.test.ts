import { describe, expect, test } from "bun:test";
import { weakenedFiles } from "../../../../src/workflow/calls/weakened-checks.ts";

/** Content before and after; absent where there was or is no file. */
type Change = readonly [path: string, before: string | undefined, after: string | undefined];

async function reasons(command: string, ...changes: readonly Change[]): Promise<string[]> {
  const entry = (content: string | undefined) =>
    content === undefined ? undefined : { mode: "100644", blob: content };
  const found = await weakenedFiles(
    command,
    changes.map(([path, before, after]) => ({
      path,
      ...(before !== undefined && { before: { mode: "100644", blob: before } }),
      ...(entry(after) && { after: { mode: "100644", blob: after ?? "" } }),
    })),
    async (blob) => blob,
  );
  return found.map(({ file, reason }) => `${file}: ${reason}`);
}

describe("a file that the command names", () => {
  test.each([
    "sh ci/check.sh",
    "./ci/check.sh --all",
    "cd . && node ci/check.sh",
    "FOO=1 ci/check.sh",
    "eslint src && bash ci/check.sh",
    "bash ci/check.sh eslint",
    "pytest ci/check.sh",
  ])("runs: %s", async (command) => {
    const change = ["ci/check.sh", "exit 1", "exit 0"] as const;
    expect(await reasons(command, change)).toEqual([
      "ci/check.sh: the check runs it, and it was changed",
    ]);
  });

  test.each([
    "eslint src/a.js",
    "npx eslint --max-warnings 0 src/a.js",
    "node_modules/.bin/biome check ./src/a.js",
    "python3 -m mypy src/a.js",
    "ruff check src/a.js",
    "go vet src/a.js",
    "node --check src/a.js",
    "python -m py_compile src/a.js",
    "! grep -q TODO src/a.js",
    "cd . && tsc --noEmit src/a.js",
  ])("is looked at: %s", async (command) => {
    expect(await reasons(command, ["src/a.js", "bad", "good"])).toEqual([]);
  });
});

describe("what silences a check", () => {
  test.each([
    "x(); // eslint-disable-line",
    "/* eslint-disable */\nx();",
    "// @ts-ignore\nx();",
    "// @ts-nocheck",
    "// @ts-expect-error",
    "// biome-ignore lint/x: y",
    "x()  # noqa: E501",
    "# ruff: noqa",
    "x()  # type: ignore[attr]",
    "# pylint: disable=all",
    "x() // nolint:errcheck",
    "//nolint",
    "#[allow(dead_code)]",
    "#![allow(warnings)]",
    '@SuppressWarnings("all")',
    "# rubocop:disable Style/X",
    "# shellcheck disable=SC2086",
    "/* istanbul ignore next */",
    "x()  # pragma: no cover",
  ])("%j, where it is added", async (line) => {
    const said = "src/a: errors are silenced in it that were not";
    expect(await reasons("make lint", ["src/a", "x();\n", `x();\n${line}\n`])).toEqual([said]);
    expect(await reasons("make lint", ["src/a", undefined, line])).toEqual([said]);
    expect(await reasons("make lint", ["src/a", `${line}\n`, `${line}\nx();\n`])).toEqual([]);
    expect(await reasons("make lint", ["src/a", `${line}\n`, "x();\n"])).toEqual([]);
  });

  test("no words that merely look like it", async () => {
    const text = "allow(x) ignore nolint disable eslint type ignore\n";
    expect(await reasons("make lint", ["src/a", "", text])).toEqual([]);
  });
});

describe("how a project is checked", () => {
  test.each([
    ".flake8",
    ".eslintignore",
    ".prettierignore",
    "pyrightconfig.json",
    ".mypy.ini",
    ".pylintrc",
    "phpstan.neon",
    ".shellcheckrc",
  ])("%s says it", async (name) => {
    expect(await reasons("make lint", [`sub/${name}`, "a", "b"])).toEqual([
      `sub/${name}: test configuration changed`,
    ]);
  });

  test("pyproject.toml and Cargo.toml say it in some of their parts", async () => {
    const project = '[project]\nname = "x"\n';
    const checks = "[tool.ruff.lint]\nignore = []\n";
    const why = "how the project is tested was changed in it";
    const of = (before: string, after: string) =>
      reasons("ruff check", ["pyproject.toml", before, after]);
    expect(await of(project + checks, `${project}version = "1"\n${checks}`)).toEqual([]);
    expect(await of(project + checks, project + checks.replace("[]", '["F"]'))).toEqual([
      `pyproject.toml: ${why}`,
    ]);
    expect(await of(project, project + checks)).toEqual([`pyproject.toml: ${why}`]);
    const cargo = '[package]\nname = "x"\n';
    expect(
      await reasons("cargo clippy", ["Cargo.toml", cargo, `${cargo}[lints.rust]\nx = "allow"\n`]),
    ).toEqual([`Cargo.toml: ${why}`]);
    expect(
      await reasons("cargo test", ["Cargo.toml", cargo, `${cargo}[dependencies]\nx = "1"\n`]),
    ).toEqual([]);
  });
});

test("tests and the scripts of package.json still count, new tests and dependencies do not", async () => {
  const manifest = (scripts: string, more = "") => `{"scripts":{"test":"${scripts}"}${more}}`;
  expect(
    await reasons(
      "npm test",
      ["a.test.js", "x", "y"],
      ["b.test.js", "x", undefined],
      ["c.test.js", undefined, "x"],
      ["package.json", manifest("a"), manifest("b")],
      ["old/package.json", manifest("a"), undefined],
      ["sub/package.json", manifest("a"), manifest("a", ',"dependencies":{}')],
    ),
  ).toEqual([
    "a.test.js: test file changed",
    "b.test.js: test file deleted",
    "package.json: how the project is tested was changed in it",
    "old/package.json: how the project is tested was changed in it",
  ]);
});
