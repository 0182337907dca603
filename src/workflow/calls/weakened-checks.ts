/** Whether a fix made the check easier to pass, rather than the code right. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { nameOf } from "../../lib/slash-path.ts";
import { isTestFile } from "../../repo/analysis/test-files.ts";
import type { TreeChange } from "../edits/trees/tree.ts";

export interface WeakenedFile {
  readonly file: string;
  readonly reason: string;
}

/** Files that say how tests are run, by the names their tools look for. */
const TEST_CONFIGURATION =
  /^(?:(?:jest|vitest|vite|karma|playwright|cypress|ava|wdio|babel)\.config\.\w+|\.mocharc(?:\.\w+)?|\.nycrc(?:\.\w+)?|c8rc\.json|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|setup\.cfg|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml|bunfig\.toml|\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|biome\.jsonc?|ruff\.toml|\.ruff\.toml|mypy\.ini|\.golangci\.ya?ml|clippy\.toml|tsconfig(?:\.\w+)?\.json|\.rubocop\.yml|codecov\.yml)$/;
/** Files whose targets a command names. */
const RUNNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bmake\b/, /^(?:GNUmakefile|[Mm]akefile)$|\.mk$/],
  [/\bjust\b/, /^\.?[Jj]ustfile$/],
  [/\brake\b/, /^Rakefile$/],
  [/\b(?:gradle|gradlew)\b/, /^build\.gradle(?:\.kts)?$/],
  [/\bmvn\w*\b/, /^pom\.xml$/],
];
/** Parts of a manifest that say how its project is tested. */
const TESTING_KEYS = ["scripts", "jest", "mocha", "ava", "nyc", "c8", "vitest", "eslintConfig"];

/**
 * Those of the changed files on which the outcome of the check rests: tests that were changed or
 * deleted, configuration of tests, and what the command itself runs. New tests weaken nothing.
 * @param read the content of a file before or after, as text.
 */
export async function weakenedFiles(
  command: string,
  changes: readonly TreeChange[],
  read: (blob: string) => Promise<string>,
): Promise<readonly WeakenedFile[]> {
  const weakened: WeakenedFile[] = [];
  for (const change of changes) {
    const reason = await reasonOf(command, change, read);
    if (reason !== undefined) weakened.push({ file: change.path, reason });
  }
  return weakened;
}

async function reasonOf(
  command: string,
  { path, before, after }: TreeChange,
  read: (blob: string) => Promise<string>,
): Promise<string | undefined> {
  const name = nameOf(path);
  const done = after === undefined ? "deleted" : "changed";
  if (TEST_CONFIGURATION.test(name)) return `test configuration ${before ? done : "added"}`;
  if (before === undefined) return undefined;
  if (isTestFile(path)) return `test file ${done}`;
  if (isNamedIn(command, path)) return `the check runs it, and it was ${done}`;
  const runs = RUNNERS.some(([program, file]) => program.test(command) && file.test(name));
  if (runs) return `the check's command is defined there, and it was ${done}`;
  if (name !== "package.json") return undefined;
  const texts = [await read(before.blob), after === undefined ? "" : await read(after.blob)];
  const [old, current] = texts.map(testingParts);
  return old === current ? undefined : "how the project is tested was changed in it";
}

function isNamedIn(command: string, path: string): boolean {
  return command.split(/[\s'"=;|&()<>]+/).some((word) => word.replace(/^\.\//, "") === path);
}

function testingParts(text: string): string {
  const manifest = parseJson(text);
  if (!isRecord(manifest)) return text;
  return JSON.stringify(TESTING_KEYS.map((key) => manifest[key]));
}
