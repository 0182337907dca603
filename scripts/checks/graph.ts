import { posix } from "node:path";
import type { Finding } from "./finding.ts";
import type { ModuleImport } from "./imports.ts";
import { lineAt, type SourceFile } from "./source.ts";

export interface Edge {
  /** Path of the imported file, relative to the root; it need not exist. */
  readonly to: string;
  readonly imported: ModuleImport;
}

/** Which file imports which, by relative specifiers. */
export interface ModuleGraph {
  edges(path: string): readonly Edge[];
}

export function moduleGraph(files: readonly SourceFile[]): ModuleGraph {
  const byPath = new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map((imported) => ({
          to: posix.join(posix.dirname(path), imported.specifier),
          imported,
        })),
    ]),
  );
  return { edges: (path) => byPath.get(path) ?? [] };
}

/** Shortest way from one file to another over import statements of any kind. */
function wayBetween(graph: ModuleGraph, from: string, goal: string): readonly string[] | undefined {
  const previous = new Map<string, string | undefined>([[from, undefined]]);
  for (const path of previous.keys()) {
    if (path === goal) {
      const way = [path];
      for (let at = previous.get(path); at !== undefined; at = previous.get(at)) way.unshift(at);
      return way;
    }
    for (const { to } of graph.edges(path)) if (!previous.has(to)) previous.set(to, path);
  }
  return undefined;
}

/** Finds import cycles, each once, at the first file of it by path. */
export function checkCycles(files: readonly SourceFile[], graph: ModuleGraph): readonly Finding[] {
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const { path, text } of files) {
    if (reported.has(path)) continue;
    for (const { to, imported } of graph.edges(path)) {
      const back = wayBetween(graph, to, path);
      if (back === undefined) continue;
      for (const member of back) reported.add(member);
      const message = [path, ...back].join(" -> ");
      findings.push({ path, line: lineAt(text, imported.offset), rule: "cycle", message });
      break;
    }
  }
  return findings;
}

/** Every file that loads when one of `roots` does: import statements followed, dynamic imports not. */
export function loadedWith(graph: ModuleGraph, roots: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(roots);
  for (const path of loaded) {
    for (const { to, imported } of graph.edges(path)) {
      if (imported.kind === "static") loaded.add(to);
    }
  }
  return loaded;
}
