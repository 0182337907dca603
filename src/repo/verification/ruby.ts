import { below, folderOf } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import { fileArgument } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearestWith, outermost, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const SPEC = /_spec\.rb$/;
const MINITEST = /(?:^|\/)(?:[^/]*_test|test_[^/]*)\.rb$/;

/** Loads Bundler by itself. */
const RAILS = "bin/rails";

const command = commandsOf("ruby");

/** Ruby: RSpec, Minitest and Rake, by Bundler where there is a Gemfile. */
export const ruby: Ecosystem = {
  name: "ruby",
  owns: (path) => languageOf(path) === "ruby",
  isProjectFile: (name) => ["Gemfile", "Rakefile", ".rspec"].includes(name),
  plan: (work, tree) =>
    planEach(work, tree, (path) => nearestWith(tree, path, "Gemfile", "Rakefile") ?? "", plan),
};

function plan({ root, tests }: Project, tree: ProjectTree): Plan {
  const has = (name: string) => tree.has(below(root, name));
  const bundle = has("Gemfile") ? ["bundle", "exec"] : [];
  const run = (argv: readonly string[], reason: string) =>
    command([...bundle, ...argv], root, reason);
  const local = (path: string) => fileArgument(relativeTo(root, path));

  const specs = tests.filter((path) => SPEC.test(path));
  const units = tests.filter((path) => MINITEST.test(path));
  const specFolders = outermost(specs.map(folderOf)).map(local).filter(Boolean);
  const suites = wholeSuites(root, tree, tests).map((argv) =>
    argv[0] === RAILS ? command(argv, root, "all tests") : run(argv, "all tests"),
  );
  const minitest = (path: string) =>
    has(RAILS)
      ? command([RAILS, "test", local(path)], root, "the test")
      : run(["ruby", "-Ilib", "-Itest", local(path)], "the test");
  return {
    fast: [
      ...(specs.length === 0 ? [] : [run(["rspec", ...specs.map(local)], "the specs")]),
      ...units.map(minitest),
    ],
    safe: [
      ...(specFolders.length === 0
        ? []
        : [run(["rspec", ...specFolders], "the specs beside them")]),
      ...(specFolders.length === 0 || units.length > 0 ? suites : []),
    ],
    full: [...suites, ...(has(".rubocop.yml") ? [run(["rubocop"], "RuboCop is configured")] : [])],
  };
}

/** The commands that run all tests of a project, one for each framework in it. */
function wholeSuites(
  root: string,
  tree: ProjectTree,
  tests: readonly string[],
): readonly string[][] {
  const has = (name: string) => tree.has(below(root, name));
  const rakefile = tree.text(below(root, "Rakefile")) ?? "";
  const usesSpecs =
    has(".rspec") || has("spec/spec_helper.rb") || tests.some((path) => SPEC.test(path));
  const task = /Rake::TestTask\.new(?:\(\s*:?["']?(\w+))?/.exec(rakefile);
  const plainTask = /^\s*task\s*\(?\s*:?["']?test\b/m.test(rakefile);
  const usesMinitest = tests.some((path) => MINITEST.test(path));
  const minitest =
    has(RAILS) && (usesMinitest || has("test/test_helper.rb"))
      ? [RAILS, "test"]
      : ["rake", task?.[1] ?? "test"];
  const suites = [
    ...(usesSpecs ? [["rspec"]] : []),
    ...(task !== null || plainTask || minitest[0] === RAILS ? [minitest] : []),
  ];
  if (suites.length > 0) return suites;
  return rakefile === "" ? [["rspec"]] : [["rake"]];
}
