import { expect, test } from "bun:test";
import { display } from "../../../../src/repo/verification/display.ts";
import {
  commandsOfTier,
  planVerification,
  testCommands,
  tierOf,
} from "../../../../src/repo/verification/plan.ts";
import { NOTHING, type PlannedCommand } from "../../../../src/repo/verification/types.ts";
import { type Files, files, planOf, shown } from "../../../support/plan.ts";

const MODULE = "module example.com/testrepo\n";

/** The fixture that the oracles are about. */
const FIXTURE: Files = files(
  `README.md package-lock.json tsconfig.json helper.go main.go main_test.go cli/app.go config.yaml
   internalpkg/helper/helper.go web/session.ts web/app.ts web/session.test.ts
   pkg/__init__.py pkg/helper.py pkg/app.py pkg/test_app.py`,
  {
    "go.mod": MODULE,
    "package.json": JSON.stringify({
      scripts: {
        test: "echo test",
        "test:unit": "echo unit",
        lint: "eslint .",
        typecheck: "tsc",
        build: "tsc",
      },
    }),
    "pyproject.toml": "[tool.pytest.ini_options]\n\n[tool.ruff]\n\n[tool.mypy]\n",
  },
);

test("a Go file is tested by its package, and by all (oracle 30)", () => {
  const commands = testCommands(planOf(FIXTURE, ["main.go"], ["main_test.go"])).map(display);
  expect(commands.slice(0, 2)).toEqual(["go test .", "go test ./..."]);
});

test("a new Go file has commands at once (oracle 31)", () => {
  const repository = { ...FIXTURE, "feature.go": "", "feature_test.go": "" };
  const commands = testCommands(planOf(repository, ["feature.go"], ["feature_test.go"]));
  expect(commands.length).toBeGreaterThanOrEqual(2);
  expect(commands.map(display)[0]).toBe("go test .");
});

test("a Python file: its test, its folder, what is configured (oracle 32)", () => {
  expect(shown(FIXTURE, ["pkg/app.py"], ["pkg/test_app.py"])).toEqual({
    fast: ["pytest pkg/test_app.py"],
    safe: ["pytest pkg", "pytest", "ruff check ."],
    full: ["pytest", "ruff check .", "mypy ."],
  });
});

test("a TypeScript file: the scripts of its package (oracles 33 and 34)", () => {
  const plan = shown(FIXTURE, ["web/app.ts"], ["web/session.test.ts"]);
  expect(plan.fast[0]).toBe("npm run test:unit -- web/session.test.ts");
  expect(plan.safe[0]).toBe("npm run test:unit");
  expect(plan.full).toContain("npm run typecheck");

  const withMake = { ...FIXTURE, Makefile: "test:\n\tx\nlint:\n\tx\nbuild: lint\n\tx\n" };
  const { full } = shown(withMake, ["web/app.ts"], ["web/session.test.ts"]);
  expect(full).toEqual(expect.arrayContaining(["make test", "make lint", "make build"]));
});

test("tox and make are in full, and tox nowhere else (oracle 35, repo L10)", () => {
  const repository = { ...FIXTURE, "tox.ini": "[tox]\n", Makefile: "test check:\n\tx\n" };
  const { fast, safe, full } = shown(repository, ["pkg/app.py"], ["pkg/test_app.py"]);
  expect(full).toEqual(expect.arrayContaining(["tox", "make test", "make check"]));
  expect([...fast, ...safe]).not.toContain("tox");
});

test("a document's suggested Go test decides the package, under a go.mod (oracle 36, repo L9)", () => {
  const tests = ["internal/parser/parser_test.go"];
  const bare = files("docs/parser.md internal/parser/parser_test.go");
  expect(shown({ ...bare, "go.mod": MODULE }, ["docs/parser.md"], tests).fast).toEqual([
    "go test ./internal/parser",
  ]);
  expect(shown(bare, ["docs/parser.md"], tests)).toEqual({ fast: [], safe: [], full: [] });
});

test("a README beside a Go test asks for nothing (repo L8)", () => {
  expect(shown(FIXTURE, ["README.md"])).toEqual({ fast: [], safe: [], full: [] });
});

test("settings ask for the tests of the project, and not for those beside them (repo L8)", () => {
  const repository = files("deploy/config.yaml deploy/deploy_test.go", { "go.mod": MODULE });
  expect(shown(repository, ["deploy/config.yaml"])).toEqual({
    fast: [],
    safe: ["go test ./..."],
    full: ["go test ./...", "go vet ./..."],
  });
});

test("every ecosystem of a change keeps its commands, in the order of the targets (repo C2, O-D4)", () => {
  const targets = [
    "web/session.ts",
    "cli/app.go",
    "main.go",
    "internalpkg/helper/helper.go",
    "web/app.ts",
    "pkg/app.py",
    "pkg/helper.py",
    "config.yaml",
  ];
  const tests = ["web/session.test.ts", "main_test.go", "pkg/test_app.py"];
  const plan = shown(FIXTURE, targets, tests);
  expect(plan.fast).toEqual([
    "npm run test:unit -- web/session.test.ts",
    "go test ./cli",
    "go test .",
    "go test ./internalpkg/helper",
    "pytest pkg/test_app.py",
  ]);
  expect(plan.full).toEqual(
    expect.arrayContaining(["npm test", "npm run lint", "go test ./...", "pytest", "mypy ."]),
  );
});

test("a change of thirty ecosystems' projects is not cut (repo C2)", () => {
  const names = Array.from({ length: 30 }, (_, at) => `services/s${at}`);
  const repository = Object.fromEntries(
    names.flatMap((name) => [
      [`${name}/go.mod`, MODULE],
      [`${name}/main.go`, ""],
    ]),
  );
  const plan = planOf(
    repository,
    names.map((name) => `${name}/main.go`),
  );
  expect(plan.fast).toHaveLength(30);
  expect(plan.full).toHaveLength(60);
});

test("without targets the topmost projects are verified, and not those of fixtures", () => {
  const repository = files("api/main.go api/testdata/x/go.mod web/index.js", {
    "api/go.mod": MODULE,
    "web/package.json": '{"scripts":{"test":"node --test"}}',
  });
  expect(shown(repository, []).full).toEqual([
    "(cd api && go test ./...)",
    "(cd api && go vet ./...)",
    "(cd web && npm test)",
  ]);
});

test("deleted and undecodable tests are not run by name", () => {
  const quoted = '"caf\\351_test.py"';
  const repository = files("app.py", { "pyproject.toml": "", [quoted]: "" });
  const plan = shown(repository, ["app.py"], ["test_gone.py", quoted]);
  expect(plan.fast).toEqual([]);
  expect(plan.safe).toEqual(["pytest"]);
});

test("settings take the place of a tier", () => {
  const own: PlannedCommand = { argv: ["./ci"], cwd: "", reason: "set", ecosystem: "settings" };
  const plan = planVerification({
    targets: ["main.go"],
    tests: [],
    paths: new Set(Object.keys(FIXTURE)),
    manifest: (path) => FIXTURE[path],
    settings: { full: [own] },
  });
  expect(plan.full).toEqual([own]);
  expect(plan.fast.map(display)).toEqual(["go test ."]);
});

test("a tier is picked by its name (oracle 50)", () => {
  const command = (line: string) => ({
    argv: line.split(" "),
    cwd: "",
    reason: "",
    ecosystem: "go",
  });
  const plan = {
    fast: [command("go test .")],
    safe: [command("go test ./pkg")],
    full: [command("go test ./...")],
  };
  expect(commandsOfTier(plan, tierOf(" Safe ")).map(display)).toEqual(["go test ./pkg"]);
  expect(() => tierOf("slow")).toThrow('invalid verification tier "slow": use fast, safe, or full');
});

test("an empty tier is an error that names another one (oracle 51)", () => {
  const failure = (plan: typeof NOTHING) => {
    try {
      return commandsOfTier(plan, "fast");
    } catch (error) {
      return error;
    }
  };
  expect(failure(NOTHING)).toMatchObject({
    code: "no_verification_command",
    message: "no fast verification command inferred",
  });
  expect(failure(planOf(FIXTURE, ["config.yaml"]))).toMatchObject({
    hints: ["there are commands for another tier: pallium verify safe"],
  });
});
