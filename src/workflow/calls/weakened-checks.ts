/** Whether a fix made the check easier to pass, rather than the code right. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { nameOf } from "../../lib/slash-path.ts";
import { isTestFile } from "../../repo/analysis/test-files.ts";
import type { TreeChange, TreeEntry } from "../edits/trees/tree.ts";

export interface WeakenedFile {
  readonly file: string;
  readonly reason: string;
}

/** Files that say how tests are run, by the names their tools look for. */
const TEST_CONFIGURATION =
  /^(?:(?:jest|vitest|vite|karma|playwright|cypress|ava|wdio|babel)\.config\.\w+|\.mocharc(?:\.\w+)?|\.nycrc(?:\.\w+)?|c8rc\.json|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|setup\.cfg|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml|bunfig\.toml|tsconfig(?:\.\w+)?\.json|codecov\.yml)$/;
/** The same of linters, formatters and type checkers. */
const LINT_CONFIGURATION =
  /^(?:\.(?:eslint|prettier|stylelint)(?:rc(?:\.\w+)?|ignore)|(?:eslint|prettier|stylelint)\.config\.\w+|biome\.jsonc?|\.?ruff\.toml|\.flake8|\.?pylintrc|\.?mypy\.ini|pyrightconfig\.json|\.golangci\.ya?ml|\.?clippy\.toml|\.rubocop(?:_todo)?\.yml|\.shellcheckrc|phpstan(?:-baseline)?\.neon(?:\.dist)?)$/;
/** Files whose targets a command names. */
const RUNNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bmake\b/, /^(?:GNUmakefile|[Mm]akefile)$|\.mk$/],
  [/\bjust\b/, /^\.?[Jj]ustfile$/],
  [/\brake\b/, /^Rakefile$/],
  [/\b(?:gradle|gradlew)\b/, /^build\.gradle(?:\.kts)?$/],
  [/\bmvn\w*\b/, /^pom\.xml$/],
];
/** Programs that look at the files which are named behind them, and do not run them. */
const LOOKS =
  /(?:^|[\s/])(?:eslint|biome|prettier|stylelint|standard|tsc|ruff|flake8|pylint|mypy|pyright|black|isort|py_compile|gofmt|go vet|golangci-lint|rustfmt|rubocop|shellcheck|phpstan|node --check|grep|rg)(?=\s)/;
/** Where one command ends and the next begins. */
const BETWEEN = /&&|\|\||[;|&\n]/;
/** Comments and attributes that have tools overlook what they find. */
const SILENCING =
  /eslint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)|#\s*(?:noqa\b|ruff:\s*noqa|type:\s*ignore|pyright:\s*ignore|pylint:\s*disable|pragma:\s*no cover|rubocop:disable|shellcheck\s+disable)|\/\/\s*nolint\b|#!?\[allow\(|@SuppressWarnings\b|(?:istanbul|c8|v8) ignore/g;
/** Sections of manifests in TOML that say how their project is tested. */
const TESTING_SECTION =
  /^\[+(?:tool\.(?:pytest|coverage|ruff|mypy|pyright|pylint|black|isort|flake8|tox|nox)|lints|test|bench|workspace\.lints)\b/;
/** Parts of a manifest that say how its project is tested. */
const TESTING_KEYS = ["scripts", "jest", "mocha", "ava", "nyc", "c8", "vitest", "eslintConfig"];

const REGULAR = /^100/;

type Read = (blob: string) => Promise<string>;

/**
 * Those of the changed files on which the outcome of the check rests: tests that were changed or
 * deleted, configuration of tests and linters, what the command itself runs, and files in which more
 * of what is found is overlooked than before. New tests weaken nothing.
 * @param read the content of a file before or after, as text.
 */
export async function weakenedFiles(
  command: string,
  changes: readonly TreeChange[],
  read: Read,
): Promise<readonly WeakenedFile[]> {
  const weakened: WeakenedFile[] = [];
  for (const change of changes) {
    const reason = reasonByName(command, change) ?? (await reasonByContent(change, read));
    if (reason !== undefined) weakened.push({ file: change.path, reason });
  }
  return weakened;
}

function reasonByName(command: string, { path, before, after }: TreeChange): string | undefined {
  const name = nameOf(path);
  const done = after === undefined ? "deleted" : "changed";
  if (TEST_CONFIGURATION.test(name) || LINT_CONFIGURATION.test(name))
    return `test configuration ${before ? done : "added"}`;
  if (before === undefined) return undefined;
  if (isTestFile(path)) return `test file ${done}`;
  if (isRunBy(command, path)) return `the check runs it, and it was ${done}`;
  const runs = RUNNERS.some(([program, file]) => program.test(command) && file.test(name));
  return runs ? `the check's command is defined there, and it was ${done}` : undefined;
}

/** Whether one of the commands names the file, and not to look at it only. */
function isRunBy(command: string, path: string): boolean {
  return command.split(BETWEEN).some((part) => {
    const end = LOOKS.exec(part)?.index ?? part.length;
    const words = part.slice(0, end).split(/[\s'"=<>()]+/);
    return words.some((word) => word.replace(/^\.\//, "") === path);
  });
}

async function reasonByContent(
  { path, before, after }: TreeChange,
  read: Read,
): Promise<string | undefined> {
  if (isTestFile(path)) return undefined;
  const text = async (entry: TreeEntry | undefined) =>
    entry !== undefined && REGULAR.test(entry.mode) ? read(entry.blob) : "";
  const [old, now] = [await text(before), await text(after)];
  const parts = partsBy(nameOf(path));
  if (before !== undefined && parts?.(old) !== parts?.(now))
    return "how the project is tested was changed in it";
  const silenced = (text: string) => text.match(SILENCING)?.length ?? 0;
  return silenced(now) > silenced(old) ? "errors are silenced in it that were not" : undefined;
}

/** What of a manifest says how its project is tested; `undefined` for files that are none. */
function partsBy(name: string): ((text: string) => string) | undefined {
  if (name === "package.json") return testingParts;
  return name === "pyproject.toml" || name === "Cargo.toml" ? testingSections : undefined;
}

function testingParts(text: string): string {
  const manifest = parseJson(text);
  if (!isRecord(manifest)) return text;
  return JSON.stringify(TESTING_KEYS.map((key) => manifest[key]));
}

function testingSections(text: string): string {
  const sections = text.split(/^(?=\[)/m);
  return sections
    .filter((section) => TESTING_SECTION.test(section))
    .map((section) => section.trim())
    .join("\n");
}
