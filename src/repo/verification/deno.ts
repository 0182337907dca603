import { below } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import { fileArgument, survivesDoubleQuotes } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const CONFIGURATION = ["deno.json", "deno.jsonc"];

const command = commandsOf("deno");

/** Whether the nearest manifest of a file is Deno's. One with a package.json beside it is Node's. */
export function isDeno(path: string, tree: ProjectTree): boolean {
  const folder = nearestWith(tree, path, "package.json", ...CONFIGURATION);
  return folder !== undefined && !tree.has(below(folder, "package.json"));
}

/** Deno: its `test` task, or `deno test`. */
export const deno: Ecosystem = {
  name: "deno",
  owns: (path, tree) => languageOf(path) === "javascript" && isDeno(path, tree),
  isProjectFile: (name) => CONFIGURATION.includes(name),
  plan: (work, tree) =>
    planEach(work, tree, (path) => nearestWith(tree, path, ...CONFIGURATION), plan),
};

function plan({ root, tests }: Project, tree: ProjectTree): Plan {
  const text = CONFIGURATION.map((name) => tree.text(below(root, name)) ?? "").join("\n");
  const files = tests.map((path) => fileArgument(relativeTo(root, path)));
  const hasTask = /"tasks"\s*:\s*\{[\s\S]*?"test"\s*:/.test(text);
  const direct = ["deno", "test", "--allow-all"];
  const run = hasTask ? ["deno", "task", "test"] : direct;
  const suite = command(run, root, hasTask ? 'task "test"' : "all tests");
  const byTask = hasTask && files.every(survivesDoubleQuotes);
  return {
    fast:
      files.length === 0
        ? []
        : [command([...(byTask ? run : direct), ...files], root, "the tests")],
    safe: [suite],
    full: [
      suite,
      command(["deno", "lint"], root, "lints"),
      command(["deno", "fmt", "--check"], root, "formatting"),
    ],
  };
}
