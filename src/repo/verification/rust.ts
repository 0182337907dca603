import type { Ecosystem } from "./ecosystem.ts";
import {
  inFolder,
  nearest,
  nearestWith,
  type ProjectTree,
  relativeTo,
  stemOf,
} from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import { hasSection, sectionsOf, textValue } from "./sections.ts";
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
  return tree.text(inFolder(root, "Cargo.toml"));
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
    safe: [name === undefined ? all : crate],
    full: [
      all,
      command(["cargo", "clippy", ...everything, "--all-targets"], cwd, "lints"),
      command(["cargo", "fmt", "--all", "--check"], cwd, "formatting"),
    ],
  };
}

function packageName(root: string, tree: ProjectTree): string | undefined {
  const table = sectionsOf(manifestOf(root, tree)).find(({ name }) => name === "package");
  return textValue(table, "name");
}

/** The nearest workspace at or above a crate, unless it leaves the crate out. */
function workspaceOf(root: string, tree: ProjectTree): string | undefined {
  const folder = nearest(inFolder(root, "Cargo.toml"), (above) => {
    return hasSection(manifestOf(above, tree), "workspace");
  });
  if (folder === undefined || folder === root) return folder;
  const excluded = /^\s*exclude\s*=\s*\[([^\]]*)\]/m.exec(manifestOf(folder, tree) ?? "")?.[1];
  const relative = relativeTo(folder, root);
  return excluded?.includes(`"${relative}"`) === true ? undefined : folder;
}

/** Options that select what holds the tests: integration tests by name, unit tests by where they lie. */
function testTargets({ root, sources, tests }: Project, tree: ProjectTree): string[] {
  const files = [...tests, ...sources].filter((path) => tree.has(path));
  const names = new Set(files.map((path) => integrationTest(path, root, tree)).filter(Boolean));
  const inSource = files.some((path) => relativeTo(root, path).startsWith("src/"));
  return [
    ...(inSource ? [tree.has(inFolder(root, "src/lib.rs")) ? "--lib" : "--bins"] : []),
    ...[...names].flatMap((name) => ["--test", `${name}`]),
  ];
}

/** Name of the integration test that a file is the root of. */
function integrationTest(path: string, root: string, tree: ProjectTree): string | undefined {
  const relative = relativeTo(root, path);
  const declared = sectionsOf(manifestOf(root, tree)).find(
    (section) => section.name === "test" && textValue(section, "path") === relative,
  );
  if (declared !== undefined) return textValue(declared, "name");
  const folder = /^tests\/([^/]+)\/main\.rs$/.exec(relative)?.[1];
  return folder ?? (/^tests\/[^/]+\.rs$/.test(relative) ? stemOf(relative) : undefined);
}
