import { memoise } from "../../lib/memoise.ts";
import { languageOf } from "./language.ts";
import { createCResolver } from "./resolvers/c.ts";
import { createCsharpResolver } from "./resolvers/csharp.ts";
import { createGoResolver } from "./resolvers/go.ts";
import { createJavascriptResolver } from "./resolvers/javascript.ts";
import { createJvmResolver } from "./resolvers/jvm.ts";
import { createPhpResolver } from "./resolvers/php.ts";
import { createPythonResolver } from "./resolvers/python.ts";
import { createRubyResolver } from "./resolvers/ruby.ts";
import { createRustResolver } from "./resolvers/rust.ts";
import { createTreeIndex, type FileResolver, type TreeIndex } from "./tree-index.ts";
import type { Language, Link, LinkKind, Scan, SourceTree } from "./types.ts";

/** Java and Kotlin see each other's types, hence one resolver. */
const FAMILIES: Readonly<Record<Language, (index: TreeIndex) => FileResolver>> = {
  javascript: createJavascriptResolver,
  go: createGoResolver,
  python: createPythonResolver,
  rust: createRustResolver,
  java: createJvmResolver,
  kotlin: createJvmResolver,
  csharp: createCsharpResolver,
  ruby: createRubyResolver,
  php: createPhpResolver,
  c: createCResolver,
};

export interface Resolver {
  /**
   * The files of the tree that a file uses, each once, in the order it names them.
   * @param scan what the file says, where that is not what the tree has.
   */
  resolve(from: string, scan?: Scan): readonly Link[];
}

/** Resolves references of every language. Each index over the tree is built once, when first needed. */
export function createResolver(tree: SourceTree): Resolver {
  const index = createTreeIndex(tree);
  const resolverOf = memoise((language) => FAMILIES[language as Language](index));
  return {
    resolve(from, own) {
      const language = languageOf(from);
      const scan = language === undefined ? undefined : (own ?? tree.scan(from));
      if (language === undefined || scan === undefined) return [];
      const links = new Map<string, LinkKind>();
      resolverOf(language === "kotlin" ? "java" : language)(from, scan, (to, kind) => {
        if (to !== from && tree.paths.has(to) && !links.has(to)) links.set(to, kind);
      });
      return [...links].map(([to, kind]) => ({ from, to, kind }));
    },
  };
}
