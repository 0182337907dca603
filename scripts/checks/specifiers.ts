import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { Finding } from "./finding.ts";
import { loadedWith, type ModuleGraph } from "./graph.ts";
import type { ModuleImport } from "./imports.ts";
import { lineAt, type SourceFile } from "./source.ts";

const PUBLIC_BARREL = "src/sdk/index.ts";
/** Slow to load, so never with a command that only reads. */
const LAZY_PACKAGES = ["zod", "@modelcontextprotocol/sdk", "consola", "ses", "ajv", "amaro"];
const READ_PATH_ROOTS = ["src/main.ts", "src/app/run.ts", "src/app/wire.ts"];

function at(file: SourceFile, { offset }: ModuleImport, rule: string, message: string): Finding {
  return { path: file.path, line: lineAt(file.text, offset), rule, message };
}

/** `@scope/name/sub` to `@scope/name`; `undefined` for files and modules of the runtime. */
function packageOf(specifier: string): string | undefined {
  if (/^(?:\.|node:|bun:|bun$)/.test(specifier)) return undefined;
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Finds relative imports without an extension or of files that do not exist. */
export function checkPaths(root: string, files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const { specifier } = imported;
      if (!specifier.startsWith(".")) return [];
      if (posix.extname(specifier) === "") {
        return [at(file, imported, "extension", `"${specifier}" lacks its extension`)];
      }
      const target = posix.join(posix.dirname(file.path), specifier);
      if (existsSync(join(root, target))) return [];
      return [at(file, imported, "missing-file", `"${specifier}" does not exist`)];
    }),
  );
}

/** Finds packages that a user's installation would not have. */
export function checkDependencies(
  files: readonly SourceFile[],
  dependencies: readonly string[],
): readonly Finding[] {
  return files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const name = packageOf(imported.specifier);
      if (name === undefined || dependencies.includes(name)) return [];
      return [at(file, imported, "dependency", `${name} is not among the dependencies`)];
    }),
  );
}

/** Finds index files and re-exports: a module is entered by its file. */
export function checkBarrels(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({ path }) => path !== PUBLIC_BARREL)
    .flatMap((file) => {
      const reExports = file.imports
        .filter(({ reExport }) => reExport)
        .map((imported) => at(file, imported, "barrel", "re-exports another module's names"));
      if (posix.basename(file.path) !== "index.ts") return reExports;
      return [{ path: file.path, line: 1, rule: "barrel", message: "index file" }, ...reExports];
    });
}

/** Finds slow libraries that load with every command. */
export function checkReadPath(
  files: readonly SourceFile[],
  graph: ModuleGraph,
): readonly Finding[] {
  const commands = files.map(({ path }) => path).filter((path) => path.startsWith("src/cli/"));
  const loaded = loadedWith(graph, [...READ_PATH_ROOTS, ...commands]);
  return files
    .filter(({ path }) => loaded.has(path))
    .flatMap((file) =>
      file.imports
        .filter(({ kind, specifier }) => {
          return kind === "static" && LAZY_PACKAGES.includes(packageOf(specifier) ?? "");
        })
        .map((imported) => {
          const message = `${imported.specifier} would load with every command; import() it`;
          return at(file, imported, "read-path", message);
        }),
    );
}
