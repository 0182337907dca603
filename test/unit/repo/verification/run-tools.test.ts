/** Plans run by the tools themselves, where they are installed. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createIds } from "../../../../src/platform/ids.ts";
import { display } from "../../../../src/repo/verification/display.ts";
import { runPlan } from "../../../../src/repo/verification/run.ts";
import type { Tier } from "../../../../src/repo/verification/types.ts";
import { writeTree } from "../../../support/build.ts";
import { type Files, planOf } from "../../../support/plan.ts";
import { tempDir } from "../../../support/temp.ts";

/** Compilers are slow with empty caches. */
const COMPILER_TIMEOUT_MS = 180_000;

function lacks(...programs: readonly string[]): boolean {
  return programs.some((name) => !works(name));
}

/** A launcher may be there without the tool behind it. */
function works(name: string): boolean {
  if (Bun.which(name) === null) return false;
  const version = name === "go" ? "version" : "--version";
  return Bun.spawnSync([name, version], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

/** A home of the test's own; tools keep what they have installed and compiled. */
function variables(home: string): Record<string, string> {
  const own = homedir();
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GOCACHE: process.env.GOCACHE ?? join(own, ".cache/go-build"),
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(own, ".rustup"),
    CARGO_HOME: process.env.CARGO_HOME ?? join(own, ".cargo"),
    npm_config_update_notifier: "false",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

interface Trial {
  readonly targets?: readonly string[];
  readonly tests?: readonly string[];
  readonly tier?: Tier;
}

/** Writes a repository, runs a tier of its plan, and says what came of it and what lies there now. */
async function tryPlan(repository: Files, { targets = [], tests = [], tier = "fast" }: Trial) {
  await using dir = await tempDir();
  await using home = await tempDir();
  await writeTree(dir.path, repository);
  const results = await runPlan(
    planOf(repository, targets, tests)[tier],
    {
      environment: { variables: variables(home.path) },
      ids: createIds(systemClock()),
    },
    { root: dir.path, keepGoing: true },
  );
  return {
    lines: results.map(({ command }) => display(command)),
    codes: results.map(({ exit_code }) => exit_code),
    failures: results.flatMap(({ failures }) => failures),
    output: results.map(({ output }) => output).join(""),
    files: await readdir(dir.path, { recursive: true }),
  };
}

test.skipIf(lacks("go"))(
  "go: packages of two modules, one of which fails",
  async () => {
    const { lines, codes, failures } = await tryPlan(
      {
        "go.mod": "module example.com/x\n\ngo 1.21\n",
        "auth/auth.go": "package auth\n\nfunc Two() int { return 2 }\n",
        "auth/auth_test.go":
          'package auth\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n',
        "tools/go.mod": "module example.com/tools\n\ngo 1.21\n",
        "tools/x.go": "package tools\n\nfunc Two() int { return 3 }\n",
        "tools/x_test.go":
          'package tools\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n',
      },
      { targets: ["auth/auth.go", "tools/x.go"], tests: ["auth/auth_test.go", "tools/x_test.go"] },
    );
    expect(lines).toEqual(["go test ./auth", "(cd tools && go test .)"]);
    expect(codes).toEqual([0, 1]);
    expect(failures).toMatchObject([
      { name: "example.com/tools.TestTwo", file: "x_test.go", line: 7 },
    ]);
  },
  COMPILER_TIMEOUT_MS,
);

test.skipIf(lacks("go"))(
  "go: all modules of a workspace in one command, and one outside of it",
  async () => {
    const repository = {
      "go.work": "go 1.21\n\nuse (\n\t./api\n\t./lib\n)\n",
      "api/go.mod": "module example.com/api\n\ngo 1.21\n",
      "api/a.go": "package api\n",
      "lib/go.mod": "module example.com/lib\n\ngo 1.21\n",
      "lib/b.go": "package lib\n",
      "old/go.mod": "module example.com/old\n\ngo 1.21\n",
      "old/c.go": "package old\n",
    };
    const full = await tryPlan(repository, { targets: ["api/a.go"], tier: "full" });
    expect(full.codes).toEqual([0, 0]);
    expect(full.output).toContain("example.com/lib");
    expect((await tryPlan(repository, { targets: ["old/c.go"] })).codes).toEqual([0]);
  },
  COMPILER_TIMEOUT_MS,
);

test.skipIf(lacks("cargo"))(
  "cargo: unit and integration tests of a crate in a workspace",
  async () => {
    const { lines, codes, failures } = await tryPlan(
      {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
        "crates/a/Cargo.toml": '[package]\nname = "alpha"\nversion = "0.1.0"\nedition = "2021"\n',
        "crates/a/src/lib.rs":
          "pub fn two() -> i32 { 2 }\n\n#[test]\nfn unit() { assert_eq!(two(), 2); }\n",
        "crates/a/tests/flow.rs": "#[test]\nfn flow() { assert_eq!(alpha::two(), 3); }\n",
      },
      { targets: ["crates/a/src/lib.rs"], tests: ["crates/a/tests/flow.rs"] },
    );
    expect(lines).toEqual(["cargo test -p alpha --lib --test flow"]);
    expect(codes).toEqual([101]);
    expect(failures).toMatchObject([{ name: "flow" }]);
  },
  COMPILER_TIMEOUT_MS,
);

test.skipIf(lacks("pytest"))("pytest: the tests of a folder, then all", async () => {
  const repository = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "pkg/__init__.py": "",
    "pkg/app.py": "TWO = 2\n",
    "pkg/test_app.py": "from .app import TWO\n\ndef test_two():\n    assert TWO == 3\n",
  };
  const trial = { targets: ["pkg/app.py"], tests: ["pkg/test_app.py"] };
  const fast = await tryPlan(repository, trial);
  expect(fast.lines).toEqual(["pytest pkg/test_app.py"]);
  expect(fast.failures).toMatchObject([{ file: "pkg/test_app.py", line: 4 }]);
  const safe = await tryPlan(repository, { ...trial, tier: "safe" });
  expect(safe.codes).toEqual([1, 1]);
});

const PASSING = 'import { test } from "node:test";\ntest("here", () => {});\n';
const FAILING = `import { test } from "node:test";\ntest("there", () => { throw new Error("no"); });\n`;

test.skipIf(lacks("npm", "node"))("npm: one file of a package of a workspace", async () => {
  const { lines, codes, output } = await tryPlan(
    {
      "package.json": '{"private":true,"workspaces":["packages/*"]}',
      "packages/app/package.json": '{"type":"module","scripts":{"test":"node --test"}}',
      "packages/app/a.js": "",
      "packages/app/a.test.js": PASSING,
      "packages/app/b.test.js": FAILING,
    },
    { targets: ["packages/app/a.js"], tests: ["packages/app/a.test.js"] },
  );
  expect(lines).toEqual(["(cd packages/app && npm test -- a.test.js)"]);
  expect(codes).toEqual([0]);
  expect(output).toContain("tests 1\n");
});

test.skipIf(lacks("node"))("node: a script's own files are left out for one test", async () => {
  const { lines, output } = await tryPlan(
    {
      "package.json": `{"type":"module","scripts":{"test":"node --test 'test/*.js'"}}`,
      "test/a.js": PASSING,
      "test/b.js": FAILING,
    },
    { tests: ["test/a.js"] },
  );
  expect(lines).toEqual(["node --test test/a.js"]);
  expect(output).toContain("tests 1\n");
});

test.skipIf(lacks("make", "cc"))("make: goals of the nearest makefile", async () => {
  const { lines, codes } = await tryPlan(
    {
      Makefile: "test:\n\tfalse\n",
      "lib/makefile": "test: x\n\t./x\nx: x.c\n\tcc -o x x.c\n",
      "lib/x.c": "int main(void) { return 0; }\n",
    },
    { targets: ["lib/x.c"], tier: "safe" },
  );
  expect(lines).toEqual(["make -C lib test"]);
  expect(codes).toEqual([0]);
});

test.skipIf(lacks("cmake", "ctest", "cc"))("cmake: configures, builds and tests", async () => {
  const { codes, output } = await tryPlan(
    {
      "CMakeLists.txt":
        "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\nadd_executable(x x.c)\nadd_test(NAME x COMMAND x)\n",
      "x.c": "int main(void) { return 1; }\n",
    },
    { targets: ["x.c"], tier: "safe" },
  );
  expect(codes).toEqual([0, 0, 8]);
  expect(output).toContain("0% tests passed, 1 tests failed out of 1");
});

/** Names that do something where a shell reads them; each would leave a file `pwned` behind. */
const HOSTILE = [
  "x;touch pwned.test.js",
  "$(touch pwned).test.js",
  "`touch pwned`.test.js",
  "a & touch pwned &.test.js",
  "a|touch pwned|.test.js",
  "a\ntouch pwned\n.test.js",
  "' ; touch pwned ; '.test.js",
  '" ; touch pwned ; ".test.js',
  "a>pwned.test.js",
  "--require=pwned.test.js",
  "-x.test.js",
  "with space.test.js",
  "*.test.js",
  "~.test.js",
  "#.test.js",
  "back\\slash.test.js",
];

function injected(names: readonly string[]): readonly string[] {
  return names.filter((name) => /(?:^|\/)pwned/.test(name));
}

test.skipIf(lacks("npm", "node"))("no name of a test is run by a shell (repo X1)", async () => {
  const text = 'const { test } = require("node:test");\ntest("here", () => {});\n';
  const texts = Object.fromEntries(HOSTILE.map((name) => [name, text]));
  for (const manifest of [{}, { scripts: { test: "node --test" } }]) {
    const { codes, output, files } = await tryPlan(
      { ...texts, "package.json": JSON.stringify(manifest) },
      { tests: HOSTILE },
    );
    expect(injected(files)).toEqual([]);
    expect(codes.filter(Boolean)).toEqual([]);
    const ran = [...output.matchAll(/^.?\s*tests (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ran.reduce((sum, count) => sum + count, 0)).toBe(HOSTILE.length);
  }
});

test.skipIf(lacks("npm", "node"))(
  "a script gets names as they are, or none (repo X1)",
  async () => {
    const names = HOSTILE.map((name) => `dir;touch pwned/${name}`);
    const { files, codes, output } = await tryPlan(
      {
        ...Object.fromEntries(names.map((name) => [name, ""])),
        "package.json": '{"scripts":{"test":"node print.mjs"}}',
        "print.mjs": "console.log(JSON.stringify(process.argv.slice(2)));\n",
      },
      { tests: names },
    );
    expect(injected(files)).toEqual([]);
    expect(codes.filter(Boolean)).toEqual([]);
    const got = [...output.matchAll(/^\[.*\]$/gm)].flatMap((line) => JSON.parse(line[0]));
    const odd = names.filter((name) => /[$`\\"\n]/.test(name));
    expect(got).toEqual(names.filter((name) => !odd.includes(name)));
  },
);

test.skipIf(lacks("pytest"))("no name of a Python test is run by a shell (repo X1)", async () => {
  const names = HOSTILE.map((name) => name.replace(".test.js", "_test.py"));
  const text = "def test_x():\n    pass\n";
  const { files, output } = await tryPlan(
    { "pytest.ini": "[pytest]\n", ...Object.fromEntries(names.map((name) => [name, text])) },
    { tests: names },
  );
  expect(injected(files)).toEqual([]);
  expect(output).toContain(`${HOSTILE.length} passed`);
});

test.skipIf(lacks("make"))("no name in a folder t is run by a shell (repo X1)", async () => {
  const names = HOSTILE.map((name) => `t/${name.replace(".test.js", ".sh")}`);
  const { files, codes } = await tryPlan(
    {
      Makefile: "all:\n",
      "t/Makefile": "%.sh: phony\n\tsh $@\nphony:\n",
      ...Object.fromEntries(names.map((name) => [name, "exit 0\n"])),
    },
    { tests: names },
  );
  expect(injected(files)).toEqual([]);
  expect(codes.filter(Boolean)).toEqual([]);
});

test.skipIf(lacks("go"))(
  "no name of a package is run by a shell, though Go refuses it (repo X1)",
  async () => {
    const folders = ["$(touch pwned)", "x;touch pwned", "-x"];
    const texts = folders.map((folder) => [`${folder}/x.go`, "package x\n"]);
    const { files, lines } = await tryPlan(
      { "go.mod": "module example.com/x\n\ngo 1.21\n", ...Object.fromEntries(texts) },
      { targets: folders.map((folder) => `${folder}/x.go`) },
    );
    expect(injected(files)).toEqual([]);
    expect(lines).toEqual([
      "go test './$(touch pwned)'",
      "go test './x;touch pwned'",
      "go test ./-x",
    ]);
  },
  COMPILER_TIMEOUT_MS,
);
