import type { Finding } from "./finding.ts";
import { lineAt, type SourceFile } from "./source.ts";

/** Where the runtime and the machine may be touched. */
const IO_PLACES = ["src/platform/", "src/app/", "src/main.ts", "workers/"];
const PURE_MODULES = ["node:path", "node:util", "node:crypto"];
const PURE_CRYPTO = ["createHash", "createHmac", "hash", "timingSafeEqual", "Hash"];
const RUNTIME_USES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w$.])Bun\s*\./g, "Bun"],
  [/(?<![\w$.])process\s*\.|=\s*process\b/g, "process"],
  [/\bglobalThis\s*\.\s*(?:Bun|process)\b/g, "the runtime by globalThis"],
  [/(?<![\w$.])(?:fetch\s*\(|new\s+(?:Worker|WebSocket)\b)/g, "the network or a Worker"],
];
const CONSOLE_PLACES = ["src/platform/", "src/app/"];
const TRANSACTION_PLACE = "src/platform/sqlite";
/** "commit" in lower case is a word of git. */
const TRANSACTIONS = [/(["'`])\s*(?:begin|rollback|savepoint)\b/gi, /(["'`])\s*COMMIT\b/g];

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path.startsWith(place));
}

function finding(file: SourceFile, offset: number, rule: string, message: string): Finding {
  return { path: file.path, line: lineAt(file.text, offset), rule, message };
}

function runtimeModule(specifier: string, names: readonly string[]): string | undefined {
  if (specifier === "bun" || specifier.startsWith("bun:")) return specifier;
  if (!specifier.startsWith("node:")) return undefined;
  if (!PURE_MODULES.includes(specifier)) return specifier;
  if (specifier !== "node:crypto") return undefined;
  const impure = names.find((name) => !PURE_CRYPTO.includes(name));
  return impure === undefined ? undefined : `${impure} of node:crypto`;
}

function runtimeFindings(file: SourceFile): readonly Finding[] {
  if (isIn(file.path, IO_PLACES)) return [];
  const advice = "belongs to src/platform; take it as a parameter";
  const modules = file.imports.flatMap(({ specifier, names, offset }) => {
    const module = runtimeModule(specifier, names);
    return module === undefined ? [] : [finding(file, offset, "runtime", `${module} ${advice}`)];
  });
  const uses = RUNTIME_USES.flatMap(([pattern, name]) =>
    [...file.masked.matchAll(pattern)].map((match) =>
      finding(file, match.index, "runtime", `${name} ${advice}`),
    ),
  );
  return [...modules, ...uses];
}

function consoleFindings(file: SourceFile): readonly Finding[] {
  if (isIn(file.path, CONSOLE_PLACES)) return [];
  return [...file.masked.matchAll(/(?<![\w$.])console\s*\./g)].map((match) =>
    finding(file, match.index, "console", "commands return data; only src/app prints"),
  );
}

/** A quote counts only where the masked text has it too: there it begins a literal. */
function transactionFindings(file: SourceFile): readonly Finding[] {
  if (file.path.startsWith(TRANSACTION_PLACE)) return [];
  return TRANSACTIONS.flatMap((pattern) => [...file.text.matchAll(pattern)])
    .filter((match) => file.masked.charAt(match.index) === match[1])
    .map((match) =>
      finding(file, match.index, "transaction", `transactions are begun in ${TRANSACTION_PLACE}`),
    );
}

/** Finds uses of the runtime, the console and hand-written transactions outside their places. */
export function checkRuntime(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => [
    ...runtimeFindings(file),
    ...consoleFindings(file),
    ...transactionFindings(file),
  ]);
}
