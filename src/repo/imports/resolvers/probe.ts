import { memoise } from "../../../lib/memoise.ts";
import { below } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";

const EXTENSIONS = ".ts .tsx .d.ts .mts .cts .js .jsx .mjs .cjs .json .vue .svelte".split(" ");
/** What a file that is imported under the name of its output is called in the sources. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx", ".d.ts"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/** The file that a path without or with an extension means, or a folder's index. */
export type Probe = (path: string) => string | undefined;

/** Tries extensions as TypeScript and bundlers do; a file of exactly that name comes first. */
export function createProbe({ tree: { paths }, isFolder }: TreeIndex): Probe {
  const withExtension = (base: string) => {
    const extension = EXTENSIONS.find((ending) => paths.has(base + ending));
    return extension === undefined ? undefined : base + extension;
  };
  return memoise((path) => {
    if (paths.has(path)) return path;
    const output = /\.[cm]?jsx?$/.exec(path)?.[0];
    const base = output === undefined ? path : path.slice(0, -output.length);
    const source = SOURCES[output ?? ""]?.find((ending) => paths.has(base + ending));
    if (source !== undefined) return base + source;
    return (
      withExtension(path) ?? (isFolder(path) ? withExtension(below(path, "index")) : undefined)
    );
  });
}
