import { memoise } from "../../../lib/memoise.ts";
import type { TreeIndex } from "../tree-index.ts";
import type { Reference } from "../types.ts";

/** The file that a specifier means in a file. */
export type FileOf = (from: string, specifier: string) => string | undefined;

/** The files that a module takes a name from, where it exports what others declare. */
export type Origins = (file: string, name: string) => readonly string[];

/** Follows `export … from` through as many modules as there are; each name of each is looked up once. */
export function createOrigins({ tree }: TreeIndex, fileOf: FileOf): Origins {
  const known = new Map<string, readonly string[]>();
  // Reading what a module says takes long, and each name taken from it is looked up by itself.
  const scan = memoise(tree.scan);

  function declares(file: string, name: string): boolean {
    return scan(file)?.declares.includes(name) === true;
  }
  function search(file: string, name: string): readonly string[] {
    const references = scan(file)?.references ?? [];
    const handsOn = (kind: Reference["kind"], what: string) =>
      references
        .filter((reference) => reference.kind === kind && reference.names?.includes(what))
        .flatMap(({ specifier }) => fileOf(file, specifier) ?? []);
    const withOrigins = (files: readonly string[]) =>
      files.flatMap((origin) => [origin, ...originsOf(origin, name)]);

    const exported = handsOn("export", name);
    if (exported.length > 0) return withOrigins(exported);
    if (declares(file, name)) return name === "default" ? [] : withOrigins(handsOn("import", name));
    const all = handsOn("export", "*");
    return withOrigins(
      all.filter((origin) => declares(origin, name) || originsOf(origin, name).length > 0),
    );
  }
  function originsOf(file: string, name: string): readonly string[] {
    if (name === "*") return [];
    const key = `${name} ${file}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, []); // what is being looked for hands itself on in a circle
    const origins = [...new Set(search(file, name))];
    known.set(key, origins);
    return origins;
  }
  return originsOf;
}
