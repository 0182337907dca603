import { isRecord } from "../../../lib/json.ts";

/** Paths relative to the package, the likeliest first. */
export type ExportTargets = readonly string[];

/** Conditions that name a source rather than what was built from it. */
const SOURCE_CONDITIONS = ["source", "development", "bun", "deno"];

/** Every target below a value of `exports`, whatever its conditions; sources first. */
function allTargets(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(allTargets);
  if (!isRecord(value)) return [];
  const conditions = Object.keys(value);
  const sources = conditions.filter((name) => SOURCE_CONDITIONS.includes(name));
  const others = conditions.filter((name) => !SOURCE_CONDITIONS.includes(name));
  return [...sources, ...others].flatMap((name) => allTargets(value[name]));
}

/** The key with one `*` that fits, the longest first, and what its star stands for. */
function patternFor(
  keys: readonly string[],
  subpath: string,
): [key: string, star: string] | undefined {
  const fitting = keys.flatMap((key): [string, string][] => {
    const star = key.indexOf("*");
    if (star < 0) return key.endsWith("/") && subpath.startsWith(key) ? [[key, ""]] : [];
    const [before, after] = [key.slice(0, star), key.slice(star + 1)];
    const fits =
      subpath.length >= key.length && subpath.startsWith(before) && subpath.endsWith(after);
    return fits ? [[key, subpath.slice(star, subpath.length - after.length)]] : [];
  });
  return fitting.toSorted(([a], [b]) => b.indexOf("*") - a.indexOf("*"))[0];
}

/** Where `exports` or `imports` of a package.json point for a subpath (`.`, `./x`, `#x`). */
export function exportTargets(field: unknown, subpath: string): ExportTargets {
  if (field === undefined || field === null) return [];
  const map = isRecord(field) ? field : { ".": field };
  const keys = Object.keys(map);
  const hasSubpaths = keys.some((key) => key.startsWith(".") || key.startsWith("#"));
  if (!hasSubpaths) return subpath === "." ? allTargets(map) : [];
  if (Object.hasOwn(map, subpath)) return allTargets(map[subpath]);
  const pattern = patternFor(keys, subpath);
  if (pattern === undefined) return [];
  const [key, star] = pattern;
  const rest = key.endsWith("/") ? subpath.slice(key.length) : "";
  return allTargets(map[key]).map((target) => target.replaceAll("*", star) + rest);
}
