import { below, folderOf, stemOf } from "../../lib/slash-path.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearest, nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import { hasSection, type Section, sectionsOf, textValue } from "./sections.ts";
import type { Plan } from "./types.ts";

const command = commandsOf("rust");

/** Rust: `cargo test` of crates, in their workspace. */
export const rust: Ecosystem = {
  name: "rust",
  owns: (path) => path.endsWith(".rs"),
  isProjectFile: (name) => name === "Cargo.toml",
  plan: (work, tree) => planEach(work, tree, (path) => nearestWith(tree, path, "Cargo.toml"), plan),
};

function manifestOf(root: string, tree: ProjectTree): string | undefined {
  return tree.text(below(root, "Cargo.toml"));
}

function plan(project: Project, tree: ProjectTree): Plan {
  const { root } = project;
  const name = packageName(root, tree);
  const workspace = workspaceOf(root, tree);
  const cwd = workspace ?? root;
  const isMember = workspace !== undefined && name !== undefined;
  const select = isMember ? ["-p", name] : [];
  const everything = workspace === undefined ? [] : ["--workspace"];
  const targets = name === undefined ? [] : testTargets(project, tree);
  const crate = command(["cargo", "test", ...select], cwd, `crate ${name ?? root}`);
  const all = command(["cargo", "test", ...everything], cwd, "all crates");
  return {
    fast:
      targets.length === 0
        ? []
        : [command(["cargo", "test", ...select, ...targets], cwd, "the tests of the change")],
    safe: [name === undefined || isWholeWorkspace(project, workspace) ? all : crate],
    full: [
      all,
      command(["cargo", "clippy", ...everything, "--all-targets"], cwd, "lints"),
      command(["cargo", "fmt", "--all", "--check"], cwd, "formatting"),
    ],
  };
}

/** What changed is no source of the crate at the top, so it may concern every crate. */
function isWholeWorkspace({ root, sources, tests }: Project, workspace: string | undefined) {
  return root === workspace && sources.length === 0 && tests.length === 0;
}

function packageName(root: string, tree: ProjectTree): string | undefined {
  const table = sectionsOf(manifestOf(root, tree)).find(({ name }) => name === "package");
  return textValue(table, "name");
}

/** The nearest workspace at or above a crate, unless it leaves the crate out. */
function workspaceOf(root: string, tree: ProjectTree): string | undefined {
  const folder = nearest(below(root, "Cargo.toml"), (above) => {
    return hasSection(manifestOf(above, tree), "workspace");
  });
  if (folder === undefined || folder === root) return folder;
  const excluded = /^\s*exclude\s*=\s*\[([^\]]*)\]/m.exec(manifestOf(folder, tree) ?? "")?.[1];
  const relative = relativeTo(folder, root);
  return excluded?.includes(`"${relative}"`) === true ? undefined : folder;
}

/** Conditions of a table such as `[target.'cfg(loom)'.dependencies]` that no platform fulfils by itself. */
const CONDITION = /^target\.cfg\((?!unix|windows|miri|test|debug_assertions)(\w+)\)/;

/** Whether a file is named after a condition of the manifest, so that a plain run leaves it out. */
function isLeftOut(path: string, root: string, tree: ProjectTree): boolean {
  const words = stemOf(path).split("_");
  return sectionsOf(manifestOf(root, tree)).some(({ name }) => {
    const condition = CONDITION.exec(name)?.[1];
    return condition !== undefined && words.includes(condition);
  });
}

/** Options that select what holds the tests: integration tests by name, unit tests by where they lie. */
function testTargets({ root, sources, tests }: Project, tree: ProjectTree): string[] {
  const files = [...tests, ...sources].filter(
    (path) => tree.has(path) && !isLeftOut(path, root, tree),
  );
  const names = new Set(files.flatMap((path) => integrationTests(path, root, tree)));
  const inSource = files.some((path) => relativeTo(root, path).startsWith("src/"));
  return [
    ...(inSource ? [tree.has(below(root, "src/lib.rs")) ? "--lib" : "--bins"] : []),
    ...[...names].flatMap((name) => ["--test", name]),
  ];
}

/** Names of the integration tests that a file is the root of, or a part of where Cargo does not look for them. */
function integrationTests(path: string, root: string, tree: ProjectTree): readonly string[] {
  const relative = relativeTo(root, path);
  const sections = sectionsOf(manifestOf(root, tree));
  const declared = sections.filter(({ name }) => name === "test");
  const named = (tables: readonly Section[]) =>
    tables.map((table) => textValue(table, "name")).filter((name) => name !== undefined);
  const exact = declared.filter((table) => textValue(table, "path") === relative);
  if (exact.length > 0) return named(exact);
  const table = sections.find(({ name }) => name === "package");
  if (table?.values.get("autotests") === "false") {
    const beside = (one: Section) => folderOf(textValue(one, "path") ?? "") === folderOf(relative);
    return named(declared.filter(beside));
  }
  const folder = /^tests\/([^/]+)\/main\.rs$/.exec(relative)?.[1];
  if (folder !== undefined) return [folder];
  return /^tests\/[^/]+\.rs$/.test(relative) ? [stemOf(relative)] : [];
}
