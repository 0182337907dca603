import { isRecord } from "../../../lib/json.ts";
import { parseJsonc } from "../../../lib/jsonc.ts";
import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";
import type { Packages } from "./packages.ts";

/** What a tsconfig.json says of resolution, with all that it extends. */
interface Options {
  readonly baseUrl?: string;
  /** Patterns with their targets, as written in a config of the folder. */
  readonly paths?: { readonly folder: string; readonly map: Record<string, unknown> };
}

export interface Tsconfigs {
  /** Places, without extensions, that a bare specifier may mean for a file of the folder. */
  candidates(folder: string, specifier: string): readonly string[];
}

const NAMES = ["tsconfig.json", "jsconfig.json"];
const CONFIG = /\.json$/;

function asList(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "string");
}

function starOf(pattern: string, specifier: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === specifier ? "" : undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits =
    specifier.length >= before.length + after.length &&
    specifier.startsWith(before) &&
    specifier.endsWith(after);
  return fits ? specifier.slice(star, specifier.length - after.length) : undefined;
}

/** How strongly a pattern fits: an exact one first, then by what stands before the star. */
function strength(pattern: string): number {
  return pattern.includes("*") ? pattern.indexOf("*") : Number.MAX_SAFE_INTEGER;
}

function pathCandidates({ baseUrl, paths }: Options, specifier: string): string[] {
  if (paths === undefined) return [];
  const root = baseUrl ?? paths.folder;
  const patterns = Object.keys(paths.map).filter((key) => starOf(key, specifier) !== undefined);
  const best = patterns.toSorted((a, b) => strength(b) - strength(a))[0];
  if (best === undefined) return [];
  const star = starOf(best, specifier) ?? "";
  return asList(paths.map[best]).flatMap((target) => {
    const path = joinPath(root, target.replace("*", star));
    return path === undefined ? [] : [path];
  });
}

/** Reads config files with all that they extend. */
function createConfigs(index: TreeIndex, packages: Packages) {
  const { paths } = index.tree;

  function firstExisting(candidates: readonly (string | undefined)[]): string | undefined {
    return candidates.find((path): path is string => path !== undefined && paths.has(path));
  }
  function configsAt(path: string | undefined): (string | undefined)[] {
    return path === undefined ? [] : [path, `${path}.json`, below(path, "tsconfig.json")];
  }
  /** The file that `extends` names: relative, or in a package of the workspace. */
  function extended(folder: string, name: string): string | undefined {
    if (name.startsWith(".")) return firstExisting(configsAt(joinPath(folder, name)));
    const segments = name.split("/");
    const count = name.startsWith("@") ? 2 : 1;
    const home = packages.folderNamed(folder, segments.slice(0, count).join("/"));
    const rest = segments.slice(count).join("/");
    const inPackage = home === undefined ? undefined : below(home, rest);
    return firstExisting([
      ...configsAt(inPackage),
      ...(home === undefined || rest !== "" ? [] : [below(home, "tsconfig.base.json")]),
      ...configsAt(joinPath(folder, `node_modules/${name}`)),
    ]);
  }
  const read = memoise((path): Record<string, unknown> => {
    const config = parseJsonc(index.tree.manifest(path) ?? "");
    return isRecord(config) ? config : {};
  });
  /** `seen` cuts circles. */
  function load(path: string, seen: readonly string[]): Options {
    if (seen.includes(path)) return {};
    const config = read(path);
    const folder = folderOf(path);
    const parents = asList(config.extends).map((name) => {
      const parent = extended(folder, name);
      return parent === undefined ? {} : load(parent, [...seen, path]);
    });
    const own = isRecord(config.compilerOptions) ? config.compilerOptions : {};
    const baseUrl = typeof own.baseUrl === "string" ? joinPath(folder, own.baseUrl) : undefined;
    return Object.assign(
      {},
      ...parents,
      baseUrl === undefined ? {} : { baseUrl },
      isRecord(own.paths) ? { paths: { folder, map: own.paths } } : {},
    );
  }
  return { read, load, firstExisting, configsAt };
}

/** Reads `paths` and `baseUrl` of the nearest `tsconfig.json` or `jsconfig.json`, with what these extend. */
export function createTsconfigs(index: TreeIndex, packages: Packages): Tsconfigs {
  const { read, load, firstExisting, configsAt } = createConfigs(index, packages);

  /** The options of a config; where it has none of its own, those of a project it refers to. */
  const optionsOf = memoise((path): Options => {
    const options = load(path, []);
    if (options.paths !== undefined || options.baseUrl !== undefined) return options;
    const { references } = read(path);
    for (const reference of Array.isArray(references) ? references : []) {
      const target = isRecord(reference) ? asList(reference.path)[0] : undefined;
      const place = target === undefined ? undefined : joinPath(folderOf(path), target);
      const file = firstExisting(CONFIG.test(place ?? "") ? [place] : configsAt(place));
      const referred = file === undefined ? {} : load(file, [path]);
      if (referred.paths !== undefined || referred.baseUrl !== undefined) return referred;
    }
    return options;
  });
  const nearest = memoise((folder): Options => {
    const home = index.nearest(folder, NAMES);
    const name = NAMES.find((one) => home !== undefined && index.tree.paths.has(below(home, one)));
    return home === undefined || name === undefined ? {} : optionsOf(below(home, name));
  });

  return {
    candidates(folder, specifier) {
      const options = nearest(folder);
      const { baseUrl } = options;
      const byBase = baseUrl === undefined ? undefined : joinPath(baseUrl, specifier);
      const byPaths = pathCandidates(options, specifier);
      return byBase === undefined ? byPaths : [...byPaths, byBase];
    },
  };
}
