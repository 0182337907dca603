/**
 * Enforces the house rules about modules: layers that point down, IO in its places, no cycles,
 * no barrels, no state at module level, nothing slow on the way to a command that only reads.
 */
import { join } from "node:path";
import { type Finding, report } from "./checks/finding.ts";
import { checkCycles, moduleGraph } from "./checks/graph.ts";
import { checkLayers } from "./checks/layers.ts";
import { checkModuleState } from "./checks/module-state.ts";
import { checkRuntime } from "./checks/runtime.ts";
import { readSources } from "./checks/source.ts";
import { checkBarrels, checkDependencies, checkPaths, checkReadPath } from "./checks/specifiers.ts";

async function dependenciesOf(root: string): Promise<readonly string[]> {
  const manifest = await Bun.file(join(root, "package.json")).json();
  return Object.keys(manifest.dependencies ?? {});
}

/** Checks `src` and `workers` below `root`, and that the imports of tests and scripts exist. */
export async function checkImports(root: string): Promise<readonly Finding[]> {
  const product = await readSources(root, ["src", "workers"]);
  const support = await readSources(root, ["scripts", "test"]);
  const graph = moduleGraph(product);
  return [
    ...checkPaths(root, [...product, ...support]),
    ...checkDependencies(product, await dependenciesOf(root)),
    ...checkLayers(product, graph),
    ...checkCycles(product, graph),
    ...checkRuntime(product),
    ...checkModuleState(product.filter(({ path }) => path.startsWith("src/"))),
    ...checkBarrels(product),
    ...checkReadPath(product, graph),
  ];
}

if (import.meta.main) {
  process.exitCode = report("imports", await checkImports(join(import.meta.dir, "..")));
}
