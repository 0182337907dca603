import { isRecord, parseJson } from "../../lib/json.ts";
import { below, folderOf } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import { fileArgument } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const PHPUNIT_FILES = ["phpunit.xml", "phpunit.xml.dist"];
const CHECK_SCRIPTS = ["lint", "phpstan", "psalm", "analyse", "analyze", "check", "cs", "cs-check"];

const command = commandsOf("php");

/** PHP: PHPUnit or Pest from `vendor`, and the scripts of Composer. */
export const php: Ecosystem = {
  name: "php",
  owns: (path) => languageOf(path) === "php",
  isProjectFile: (name) => name === "composer.json" || PHPUNIT_FILES.includes(name),
  plan: (work, tree) =>
    planEach(
      work,
      tree,
      (path) => nearestWith(tree, path, "composer.json", ...PHPUNIT_FILES),
      plan,
    ),
};

function plan({ root, tests }: Project, tree: ProjectTree): Plan {
  const composer = readComposer(root, tree);
  const runner = runnerOf(root, tree, composer);
  const local = (path: string) => fileArgument(relativeTo(root, path));
  const script = (name: string) =>
    command(["composer", name], root, `script "${name}" of Composer`);
  const whole = composer.scripts.has("test")
    ? [script("test")]
    : runner === undefined
      ? []
      : [command([runner], root, "all tests")];
  const folders = [...new Set(tests.map((path) => local(folderOf(path))))].filter(Boolean);
  return {
    fast:
      runner === undefined
        ? []
        : tests.map((path) => command([runner, local(path)], root, "the test")),
    safe: [
      ...(runner === undefined
        ? []
        : folders.map((folder) => command([runner, folder], root, "the tests beside it"))),
      ...(runner === undefined || folders.length === 0 ? whole : []),
    ],
    full: [...whole, ...checks(root, tree, composer.scripts)],
  };
}

interface Composer {
  readonly scripts: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

function readComposer(root: string, tree: ProjectTree): Composer {
  const json = parseJson(tree.text(below(root, "composer.json")) ?? "");
  const keys = (name: string) => {
    const value = isRecord(json) ? json[name] : undefined;
    return isRecord(value) ? Object.keys(value) : [];
  };
  return {
    scripts: new Set(keys("scripts")),
    packages: new Set([...keys("require"), ...keys("require-dev")]),
  };
}

function runnerOf(root: string, tree: ProjectTree, { packages }: Composer): string | undefined {
  if (packages.has("pestphp/pest")) return "vendor/bin/pest";
  if (packages.has("symfony/phpunit-bridge") && !packages.has("phpunit/phpunit")) {
    return "vendor/bin/simple-phpunit";
  }
  const configured = PHPUNIT_FILES.some((name) => tree.has(below(root, name)));
  return packages.has("phpunit/phpunit") || configured ? "vendor/bin/phpunit" : undefined;
}

function checks(root: string, tree: ProjectTree, scripts: ReadonlySet<string>) {
  const named = CHECK_SCRIPTS.filter((name) => scripts.has(name));
  const has = (name: string) => tree.has(below(root, name));
  const phpstan = has("phpstan.neon") || has("phpstan.neon.dist");
  return [
    ...named.map((name) => command(["composer", name], root, `script "${name}" of Composer`)),
    ...(phpstan && named.length === 0
      ? [command(["vendor/bin/phpstan", "analyse"], root, "PHPStan is configured")]
      : []),
    ...(has("psalm.xml") && named.length === 0
      ? [command(["vendor/bin/psalm"], root, "Psalm is configured")]
      : []),
  ];
}
