import { join } from "node:path";
import { type Program, parse } from "acorn";
import { transformSync } from "amaro";
import { importsOf, type ModuleImport } from "./imports.ts";
import { maskSource } from "./mask.ts";

/** A TypeScript file, read and taken apart once for all rules. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** `text` with comments and literals blanked, at the same offsets. */
  readonly masked: string;
  readonly imports: readonly ModuleImport[];
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
  }
  return line;
}

/** Syntax tree of the file without its types, with the positions of the original. */
export function syntaxTree({ path, text }: SourceFile): Program {
  try {
    const { code } = transformSync(text, { mode: "strip-only" });
    return parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (cause) {
    throw new Error(`${path} cannot be parsed: ${String(cause)}`, { cause });
  }
}

/** Takes a file apart. `path` is relative to the root. */
function sourceFile(path: string, text: string): SourceFile {
  const masked = maskSource(text);
  return { path, text, masked, imports: importsOf(text, masked) };
}

/** Reads every TypeScript file below the given folders of `root`, in order of their paths. */
export async function readSources(
  root: string,
  folders: readonly string[],
): Promise<readonly SourceFile[]> {
  const files = new Bun.Glob(`{${folders.join(",")}}/**/*.ts`);
  const paths = [...files.scanSync({ cwd: root, dot: true })]
    .filter((path) => !path.includes("node_modules/") && !path.endsWith(".d.ts"))
    .sort();
  return Promise.all(
    paths.map(async (path) => sourceFile(path, await Bun.file(join(root, path)).text())),
  );
}
