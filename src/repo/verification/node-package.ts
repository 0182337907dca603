/** `package.json` as plans read it: scripts, dependencies, package manager. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { below, folderOf, upward } from "../../lib/slash-path.ts";
import type { ProjectTree } from "./project-tree.ts";

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

export interface NodePackage {
  readonly folder: string;
  readonly manager: PackageManager;
  readonly scripts: ReadonlyMap<string, string>;
  /** Names of what it depends on, for use and for development. */
  readonly dependencies: ReadonlySet<string>;
}

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** What `npm init` writes where a package has no tests. */
const PLACEHOLDER = /no test specified/;

/** The packages that hold a file, the nearest first. */
export type PackagesAbove = (path: string) => readonly NodePackage[];

/** Reads each package once. */
export function createPackagesAbove(tree: ProjectTree): PackagesAbove {
  const known = new Map<string, NodePackage>();
  const read = (folder: string) => {
    const one = known.get(folder) ?? readPackage(folder, tree);
    known.set(folder, one);
    return one;
  };
  return (path) =>
    upward(folderOf(path))
      .filter((folder) => tree.has(below(folder, "package.json")))
      .map(read);
}

function readPackage(folder: string, tree: ProjectTree): NodePackage {
  const manifest = manifestIn(folder, tree);
  const scripts = Object.entries(recordIn(manifest, "scripts")).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && !PLACEHOLDER.test(entry[1]),
  );
  return {
    folder,
    manager: managerOf(folder, tree),
    scripts: new Map(scripts),
    dependencies: new Set([
      ...Object.keys(recordIn(manifest, "dependencies")),
      ...Object.keys(recordIn(manifest, "devDependencies")),
    ]),
  };
}

function manifestIn(folder: string, tree: ProjectTree): Record<string, unknown> {
  const json = parseJson((tree.text(below(folder, "package.json")) ?? "").replace(/^\uFEFF/, ""));
  return isRecord(json) ? json : {};
}

function recordIn(manifest: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = manifest[key];
  return isRecord(value) ? value : {};
}

/** Named in a manifest, else by the lock file, each the nearest; npm where nothing tells. */
function managerOf(folder: string, tree: ProjectTree): PackageManager {
  for (const above of upward(folder)) {
    const named = /^(npm|pnpm|yarn|bun)@/.exec(`${manifestIn(above, tree).packageManager ?? ""}`);
    if (named !== null) return named[1] as PackageManager;
    const lock = LOCK_FILES.find(([name]) => tree.has(below(above, name)));
    if (lock !== undefined) return lock[1];
  }
  return "npm";
}

/** Names that these managers take for commands of their own. */
const OWN_COMMANDS: Readonly<Partial<Record<PackageManager, ReadonlySet<string>>>> = {
  yarn: new Set(["check", "types", "version"]),
  pnpm: new Set(["audit"]),
};

/** Runs a script of the package, with arguments added to its end. */
export function runScript(
  { manager }: NodePackage,
  name: string,
  args: readonly string[] = [],
): readonly string[] {
  if (manager === "npm") {
    const run = name === "test" ? ["npm", "test"] : ["npm", "run", name];
    return args.length === 0 ? run : [...run, "--", ...args];
  }
  const needsRun = manager === "bun" || OWN_COMMANDS[manager]?.has(name) === true;
  return [manager, ...(needsRun ? ["run"] : []), name, ...args];
}

/** Runs a program that a dependency of the package brings, and downloads none. */
export function runProgram({ manager }: NodePackage, argv: readonly string[]): readonly string[] {
  if (manager === "npm") return ["npx", "--no-install", ...argv];
  return [manager, manager === "pnpm" ? "exec" : "run", ...argv];
}
