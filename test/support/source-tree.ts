/** Repositories in memory, for what resolves imports. */
import { isManifest, languageOf } from "../../src/repo/imports/language.ts";
import { createResolver } from "../../src/repo/imports/resolver.ts";
import { scan } from "../../src/repo/imports/scan.ts";
import type { Language, Scan, SourceTree } from "../../src/repo/imports/types.ts";

/** Texts of files by path. */
export type Files = Readonly<Record<string, string>>;

export function treeOf(files: Files): SourceTree {
  const scans = new Map<string, Scan>();
  for (const [path, text] of Object.entries(files)) {
    const language = languageOf(path);
    if (language !== undefined) scans.set(path, scan(language, text));
  }
  return {
    paths: new Set(Object.keys(files)),
    scan: (path) => scans.get(path),
    manifest: (path) => (isManifest(path) ? files[path] : undefined),
  };
}

/** The links of one file, as `kind path`, sorted. */
export function linksOf(files: Files, from: string): string[] {
  const links = createResolver(treeOf(files)).resolve(from);
  return links.map(({ kind, to }) => `${kind} ${to}`).toSorted();
}

/** The files that one file links to, sorted. */
export function targetsOf(files: Files, from: string): string[] {
  const links = createResolver(treeOf(files)).resolve(from);
  return links.map(({ to }) => to).toSorted();
}

/** The file that a specifier of JavaScript means among the files, seen from one of them. */
export function meaning(specifier: string, files: Files, from = "src/main.ts"): string | undefined {
  return targetsOf({ ...files, [from]: `import "${specifier}";` }, from)[0];
}

/** What a text imports or includes, in its order. */
export function specifiersOf(language: Language, text: string): string[] {
  return scan(language, text)
    .references.filter(({ kind }) => kind !== "use")
    .map(({ specifier }) => specifier);
}

/** The names a text uses without importing them. */
export function usesOf(language: Language, text: string): readonly string[] {
  return scan(language, text).references.find(({ kind }) => kind === "use")?.names ?? [];
}
