/** Files that a change left behind: they still import what it renamed or deleted. */
import { byText } from "../../lib/by-text.ts";
import { folderOf, isBelow, nameOf, stemOf } from "../../lib/slash-path.ts";
import { filesMentioning } from "../files/mentioning.ts";
import { languageOf } from "../imports/language.ts";
import { createResolver } from "../imports/resolver.ts";
import type { Reference, SourceTree } from "../imports/types.ts";
import type { ReportContext } from "./context.ts";
import type { TouchedFile } from "./review-diff.ts";
import type { BrokenImport } from "./shapes.ts";

/** Of a change that moves more files than this only so many are looked for. */
const MOST_GONE = 50;
const MOST_NAMED = 3;
/** A file that is imported by the name of its folder. */
const NAMED_BY_FOLDER = /^(?:index|__init__|mod)$/;

interface Gone {
  readonly path: string;
  /** What it is called now. */
  readonly now?: string;
}

/**
 * What is still imported under a name that is no longer there, by path. A reference counts that
 * leads to nothing as the files are, and would lead to the old name if it were there.
 */
export function brokenImports(
  { view, freshness, changes }: ReportContext,
  touched: readonly TouchedFile[],
): readonly BrokenImport[] {
  const { files, index } = view;
  const gone = touched.flatMap(goneFiles).filter(({ path }) => isImportable(path, files));
  if (gone.length === 0 || freshness.is_stale) return [];
  const some = new Map(gone.slice(0, MOST_GONE).map((one) => [one.path, one]));
  const words = [...new Set([...some.keys()].map(importedName))];
  const changed = changes.map(({ path }) => path);
  const candidates = new Set([...filesMentioning(index, words), ...changed]);
  const now = createResolver(files);
  const before = createResolver(withPaths(files, some.keys()));
  const found = new Map<string, Set<string>>();
  for (const from of candidates) {
    const scan = files.paths.has(from) ? files.scan(from) : undefined;
    for (const reference of scan?.references ?? []) {
      if (!mentions(reference, words)) continue;
      const alone = { references: [reference], declares: [] };
      const led = before.resolve(from, alone).filter(({ to }) => some.has(to));
      if (led.length === 0) continue;
      const leads = now.resolve(from, alone);
      for (const { to } of led) {
        if (!leads.every((link) => isPackageOf(link.to, to, reference))) continue;
        found.set(to, (found.get(to) ?? new Set()).add(from));
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => byText(a, b))
    .map(([path, importers]) => ({
      ...some.get(path),
      path,
      imported_by: [...importers].sort(byText),
    }));
}

function goneFiles({ path, oldPath, status }: TouchedFile): readonly Gone[] {
  if (status === "D") return [{ path }, ...(oldPath === undefined ? [] : [{ path: oldPath }])];
  return oldPath === undefined ? [] : [{ path: oldPath, now: path }];
}

function isImportable(path: string, { paths }: SourceTree): boolean {
  return languageOf(path) !== undefined && !paths.has(path);
}

/** A word that every import of a file has in it. */
function importedName(path: string): string {
  const stem = stemOf(path);
  return NAMED_BY_FOLDER.test(stem) ? nameOf(folderOf(path)) : stem;
}

function mentions({ specifier, names = [] }: Reference, words: readonly string[]): boolean {
  return words.some((word) => specifier.includes(word) || names.some((name) => name === word));
}

/** Python's `a.b.c` leads to the package `a` where there is no `b`, which is no module of that name. */
function isPackageOf(file: string, gone: string, { specifier }: Reference): boolean {
  const isPackage = nameOf(file) === "__init__.py" && isBelow(gone, folderOf(file));
  return isPackage && specifier.split(".").includes(importedName(gone));
}

function withPaths(tree: SourceTree, more: Iterable<string>): SourceTree {
  const paths = new Set([...tree.paths, ...more]);
  return { paths, scan: tree.scan, manifest: tree.manifest };
}

/** A sentence on one of them. */
export function brokenImportText({ path, now, imported_by: importers }: BrokenImport): string {
  const left = importers.length - MOST_NAMED;
  const names = importers.slice(0, MOST_NAMED).join(", ");
  const who =
    importers.length === 1 ? "1 file still imports" : `${importers.length} files still import`;
  const what = now === undefined ? "which is gone" : `which is ${now} now`;
  return `${who} ${path}, ${what}: ${names}${left > 0 ? ` and ${left} more` : ""}.`;
}
