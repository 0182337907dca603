import { below } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import { fileArgument, survivesDoubleQuotes } from "./arguments.ts";
import { isDeno } from "./deno.ts";
import type { Ecosystem, Work } from "./ecosystem.ts";
import { createPackagesAbove, type NodePackage, runProgram, runScript } from "./node-package.ts";
import { type ScriptFacts, scriptFacts, type TestRunner } from "./node-script.ts";
import { groupBy, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, joinPlans } from "./projects.ts";
import { NOTHING, type Plan, type PlannedCommand } from "./types.ts";
import { vitestConfigOf } from "./vitest-config.ts";

/** More test files than this are run with all others. */
const LISTED_TESTS = 50;

const command = commandsOf("javascript");

const TEST_SCRIPTS = ["test:unit", "test"];
/** Where those are missing, or never end. */
const ENDING_SCRIPTS = ["test:run", "test:ci"];
const LINT_SCRIPTS = ["lint"];
const TYPE_SCRIPTS = ["typecheck", "type-check", "check-types", "check:types"];
const LAST_SCRIPTS = ["check", "build"];

const DEPENDENCIES: readonly (readonly [string, TestRunner])[] = [
  ["vitest", "vitest"],
  ["jest", "jest"],
  ["mocha", "mocha"],
  ["ava", "ava"],
  ["@playwright/test", "playwright"],
];

/** JavaScript and TypeScript: the scripts of the nearest package, or its test runner. */
export const javascript: Ecosystem = {
  name: "javascript",
  owns: (path, tree) => {
    const isSource = languageOf(path) === "javascript" || path.endsWith(".astro");
    return isSource && !isDeno(path, tree);
  },
  isProjectFile: (name) => name === "package.json",
  plan,
};

function plan(work: Work, tree: ProjectTree): Plan {
  const packagesAbove = createPackagesAbove(tree);
  const all = [...work.sources, ...work.tests, ...work.others];
  const chosen = new Set(work.tests);
  const byTester = groupBy(all, (path) => testPackage(packagesAbove(path)));
  const tests = [...byTester].map(([holder, paths]) => {
    const here = new Set(paths.filter((path) => chosen.has(path)));
    return packageTests(holder, [...here], tree);
  });
  const above = new Set(all.flatMap(packagesAbove));
  const full = [...above].flatMap((one) => packageChecks(one, tree));
  return joinPlans([...tests, { ...NOTHING, full }]);
}

/** Of those that hold a file the nearest that says how it is tested, else the nearest. */
function testPackage(packages: readonly NodePackage[]): NodePackage | undefined {
  return packages.find(isTested) ?? packages[0];
}

function isTested(one: NodePackage): boolean {
  return testScripts(one).length > 0 || dependedRunner(one) !== undefined;
}

function dependedRunner({ dependencies }: NodePackage): TestRunner | undefined {
  return DEPENDENCIES.find(([name]) => dependencies.has(name))?.[1];
}

/** What a package is tested with, by what it depends on; Bun has a runner of its own. */
function runnerOf(one: NodePackage): TestRunner | undefined {
  return dependedRunner(one) ?? (one.manager === "bun" ? "bun" : undefined);
}

interface TestScript extends ScriptFacts {
  readonly name: string;
}

/** Scripts that test and come to an end, the narrower first. */
function testScripts({ scripts }: NodePackage): readonly TestScript[] {
  const read = (names: readonly string[]) =>
    names.flatMap((name) => {
      const script = scripts.get(name);
      const facts = script === undefined ? undefined : scriptFacts(script);
      return facts === undefined || facts.watches ? [] : [{ name, ...facts }];
    });
  const usual = read(TEST_SCRIPTS);
  return usual.length > 0 ? usual : read(ENDING_SCRIPTS);
}

function packageTests(one: NodePackage, tests: readonly string[], tree: ProjectTree): Plan {
  const scripts = testScripts(one);
  const suite = suiteOf(one, scripts);
  const fast = tests.length === 0 ? [] : fileRuns(one, scripts[0], tests, suite, tree);
  return { fast, safe: suite.length > 0 ? suite : fast, full: [] };
}

/** The scripts that run all tests of a package, else its test runner. */
function suiteOf(one: NodePackage, scripts: readonly TestScript[]): readonly PlannedCommand[] {
  const runner = runnerOf(one);
  if (scripts.length > 0) return scripts.map((script) => named(one, script.name, script.endsWith));
  return runner === undefined ? [] : [wholeRun(one, runner)];
}

function named(one: NodePackage, name: string, args: readonly string[] = []): PlannedCommand {
  return command(runScript(one, name, args), one.folder, `script "${name}" of package.json`);
}

/** Runs these tests alone where that can be done, else the whole suite. */
function fileRuns(
  one: NodePackage,
  script: TestScript | undefined,
  tests: readonly string[],
  suite: readonly PlannedCommand[],
  tree: ProjectTree,
): readonly PlannedCommand[] {
  const files = tests.map((path) => fileArgument(relativeTo(one.folder, path)));
  const browser = files.filter((file) => isBrowserTest(one, file));
  const unit = files.filter((file) => !browser.includes(file));
  const { byDefault, byOther } = splitByConfig(one, script, unit, tree);
  const byName = groupBy(byDefault, survivesDoubleQuotes);
  return [
    ...[...byName].flatMap(([plain, some]) => unitRun(one, script, some, plain, suite)),
    ...[...byOther].map(([config, some]) => vitestRun(one, config, some)),
    ...(browser.length === 0 ? [] : [fileRun(one, "playwright", browser)]),
  ];
}

/** Vitest runs no file that its configuration leaves out, also when it is named. */
function splitByConfig(
  one: NodePackage,
  script: TestScript | undefined,
  files: readonly string[],
  tree: ProjectTree,
): { readonly byDefault: readonly string[]; readonly byOther: ReadonlyMap<string, string[]> } {
  if ((script?.runner ?? runnerOf(one)) !== "vitest")
    return { byDefault: files, byOther: new Map() };
  const found = groupBy(files, (file) => {
    const how = vitestConfigOf(one, file, tree);
    return typeof how === "object" ? how.config : how;
  });
  const byDefault = found.get("default") ?? [];
  found.delete("default");
  return { byDefault, byOther: found };
}

function vitestRun(one: NodePackage, config: string, files: readonly string[]): PlannedCommand {
  const argv = runProgram(one, ["vitest", "run", "--config", config, ...files]);
  return command(argv, one.folder, `the tests, by the configuration ${config}`);
}

function isBrowserTest({ dependencies }: NodePackage, file: string): boolean {
  return dependencies.has("@playwright/test") && /(?:^|\/)(?:e2e|playwright)\//.test(file);
}

function unitRun(
  one: NodePackage,
  script: TestScript | undefined,
  files: readonly string[],
  plain: boolean,
  suite: readonly PlannedCommand[],
): readonly PlannedCommand[] {
  if (files.length > LISTED_TESTS && suite.length > 0) return suite.slice(0, 1);
  const words = script?.withoutFiles ?? ["node", "--test"];
  if (script?.runner === "node" && words[0] === "node" && (script.withoutFiles || !plain)) {
    return [command([...words, ...files], one.folder, "the tests, as the script runs them")];
  }
  if (script?.takesFiles && plain) return [scriptRun(one, script, files)];
  const known = script?.runner ?? runnerOf(one);
  if (known !== undefined && (plain || known === "node")) return [fileRun(one, known, files)];
  if (suite.length > 0) return suite.slice(0, 1);
  const onlyScripts = files.every((file) => /\.[cm]?js$/.test(file));
  return onlyScripts ? [fileRun(one, "node", files)] : [];
}

function scriptRun(one: NodePackage, script: TestScript, files: readonly string[]): PlannedCommand {
  const { name, runner, withoutFiles, endsWith } = script;
  if (withoutFiles !== undefined && runner !== undefined) {
    const [program = "", ...rest] = withoutFiles;
    const argv = program === "bun" ? withoutFiles : runProgram(one, [program, ...rest]);
    return command([...argv, ...files], one.folder, "the tests, as the script runs them");
  }
  const options = runner === "jest" ? jestOptions(files) : [];
  const argv = runScript(one, name, [...endsWith, ...options, ...filesFor(runner, files)]);
  return command(argv, one.folder, `the tests, by script "${name}" of package.json`);
}

/** Jest takes names for patterns. */
function jestOptions(files: readonly string[]): readonly string[] {
  return files.some((file) => /[[\](){}^$*+?|\\]/.test(file)) ? ["--runTestsByPath"] : [];
}

/** Bun takes names for parts of names, unless they begin with a dot. */
function filesFor(runner: TestRunner | undefined, files: readonly string[]): readonly string[] {
  if (runner !== "bun") return files;
  return files.map((file) => (file.startsWith("./") ? file : `./${file}`));
}

function fileRun(one: NodePackage, runner: TestRunner, files: readonly string[]): PlannedCommand {
  const options = runner === "jest" ? jestOptions(files) : [];
  const argv = [...programOf(one, runner), ...options, ...filesFor(runner, files)];
  return command(argv, one.folder, `the tests, by ${runner}`);
}

function wholeRun(one: NodePackage, runner: TestRunner): PlannedCommand {
  return command(programOf(one, runner), one.folder, `${runner} is what the package tests with`);
}

function programOf(one: NodePackage, runner: TestRunner): readonly string[] {
  if (runner === "node") return ["node", "--test"];
  if (runner === "bun") return ["bun", "test"];
  if (runner === "vitest") return runProgram(one, ["vitest", "run"]);
  if (runner === "playwright") return runProgram(one, ["playwright", "test"]);
  return runProgram(one, [runner]);
}

/** All tests of a package and every check that it has scripts for; its types where it has none for them. */
function packageChecks(one: NodePackage, tree: ProjectTree): readonly PlannedCommand[] {
  const { folder, scripts } = one;
  const all = scripts.get("test") ?? "";
  const tests = testScripts(one).filter(({ name }) => name === "test" || !all.includes(name));
  const checks = [...LINT_SCRIPTS, ...TYPE_SCRIPTS, ...LAST_SCRIPTS].filter((name) =>
    scripts.has(name),
  );
  const types = command(runProgram(one, ["tsc", "--noEmit"]), folder, "no script checks the types");
  return [
    ...suiteOf(one, tests),
    ...checks.map((name) => named(one, name)),
    ...(needsTypeCheck(one, tree) ? [types] : []),
  ];
}

function needsTypeCheck(
  { folder, scripts, dependencies }: NodePackage,
  tree: ProjectTree,
): boolean {
  if (!dependencies.has("typescript") || !tree.has(below(folder, "tsconfig.json"))) return false;
  if (TYPE_SCRIPTS.some((name) => scripts.has(name))) return false;
  // A project of projects checks nothing by itself, or is built, which writes files.
  if (/"references"\s*:/.test(tree.text(below(folder, "tsconfig.json")) ?? "")) return false;
  return !["test", "lint", ...LAST_SCRIPTS].some((name) => /\btsc\b/.test(scripts.get(name) ?? ""));
}
