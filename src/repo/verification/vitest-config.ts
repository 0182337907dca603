/** Which test files a configuration of Vitest leaves to another one. */
import { below } from "../../lib/slash-path.ts";
import type { NodePackage } from "./node-package.ts";
import type { ProjectTree } from "./project-tree.ts";

/** Configurations that Vitest takes by itself, the first that is there. */
const DEFAULTS = ["vitest.config", "vite.config"].flatMap((name) =>
  ["ts", "mts", "cts", "js", "mjs", "cjs"].map((extension) => `${name}.${extension}`),
);
/** The configuration that a script names: `vitest run -c vitest.config.e2e.ts`. */
const NAMED = /\bvitest\b[^&|;]*?\s(?:-c|--config)[ =](?:\.\/)?([\w./-]+)/;
/** A folder with all below it, at one place or, behind `**`, anywhere. */
const FOLDER = /^(?:\.\/)?(\*\*\/)?((?:[\w@.-]+\/)+)(\*\*.*)$/;
const EVERYTHING = /^\*\*(?:\/\*(?:\.\*)?)?$/;

/**
 * How Vitest runs a test file: `default`, by another configuration that a script names, or
 * `undefined` where none is known that does.
 * @param file as seen from the package.
 */
export function vitestConfigOf(
  { folder, scripts }: NodePackage,
  file: string,
  tree: ProjectTree,
): "default" | { readonly config: string } | undefined {
  const textOf = (name: string) => tree.text(below(folder, name)) ?? "";
  const name = DEFAULTS.find((one) => tree.has(below(folder, one)));
  const isExcluded =
    name !== undefined &&
    patternsOf(textOf(name), "exclude").some((one) => isIn(file, one, EVERYTHING));
  if (!isExcluded) return "default";
  const others = [...scripts.values()].flatMap((script) => NAMED.exec(script)?.[1] ?? []);
  const config = others.find((other) =>
    patternsOf(textOf(other), "include").some((one) => isIn(file, one, /^\*\*/)),
  );
  return config === undefined ? undefined : { config };
}

function isIn(file: string, pattern: string, rest: RegExp): boolean {
  const [, anywhere, folder = "", below = ""] = FOLDER.exec(pattern) ?? [];
  if (folder === "" || !rest.test(below)) return false;
  return anywhere === undefined ? file.startsWith(folder) : `/${file}`.includes(`/${folder}`);
}

/** The strings of a list that stands in `test: { … }` itself; none where the list is more than strings. */
function patternsOf(text: string, key: "include" | "exclude"): readonly string[] {
  const list = new RegExp(`\\b${key}\\s*:\\s*\\[((?:\\s*(?:'[^']*'|"[^"]*")(?:\\s*,)?)*)\\s*\\]`);
  const strings = list.exec(testOptions(text))?.[1] ?? "";
  return [...strings.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => one ?? other ?? "");
}

/** What stands in `test: { … }`, without what is in braces inside. */
function testOptions(text: string): string {
  const start = /\btest\s*:\s*\{/.exec(text);
  if (start === null) return "";
  let depth = 1;
  let own = "";
  for (let at = start.index + start[0].length; at < text.length && depth > 0; at++) {
    const character = text.charAt(at);
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (depth === 1) own += character;
  }
  return own;
}
