/** Tells test files by their paths, in the manners of each language's test tools. */
import { nameOf } from "../../lib/slash-path.ts";

/** What lies below is read by tests, or is no work of the project's own. */
const FIXTURES =
  /(?:^|\/)(?:__?fixtures?__?|(?:[^/]+[-_])?fixtures?(?:[-_][^/]+)?|testdata|test[-_]data|test-fixtures|__snapshots__|snapshots|__mocks__|__generated__|node_modules|vendor|third[-_]party|goldens?|cassettes)\//i;
/**
 * What a test gives to a program and holds its answer against, each case in a folder of its own; and
 * whole packages that a test works on.
 */
const CASES =
  /(?:^|\/)(?:__tests?__|tests?|specs?)\/(?:[^/]+\/){2,}(?:input|output|expected|actual|exec)\.[^/]+$|(?:^|\/)__tests?__\/(?:[^/]+\/)*packages\/[^/]+\//;
/** Folders of tests where a file is a test without saying so in its name. */
const TEST_FOLDER =
  /(?:^|\/)(?:__tests?__|tests?|t|specs?|e2e|unit[-_]tests?|integration[-_]tests?)\//;
/** Folders inside those that hold what tests share. */
const SHARED_FOLDER =
  /(?:^|\/)(?:support|helpers?|utils?|mocks?|stubs?|fakes?|factories|data|resources|assets|common|shared|lib|tools|bin|scripts|setup)\//i;
const HELPER =
  /(?:^|[-_.])(?:helpers?|utils?|setup|teardown|fixtures?|mocks?|stubs?|fakes?|factory|factories|config|common|support|constants|types|base|lib|runner|main|mod|data|conftest|globals|macros|serve)$/i;
/** Programs that write or run the tests. */
const PROGRAM = /^(?:build|create|generate|make|run|update)[-_](?:.*[-_])?tests$/;
const CAMEL_HELPER =
  /(?:Util|Utils|Helper|Helpers|Base|Support|Fixture|Fixtures|Factory|Config|Data|Constants|Extensions)$/;

interface Manner {
  readonly extensions: readonly string[];
  /** Names, without the last extension, that say it anywhere. */
  readonly named: RegExp;
  /** Whether any file of a folder of tests is one, unless it looks like a helper. */
  readonly byFolder?: boolean;
  /** Where names say nothing. */
  readonly never?: RegExp;
}

const CAMEL = /(?:Test|Tests|TestCase|Spec|Specs|Suite|IT|ITCase|Cest|Facts)$|^Test[A-Z]\w*$/;
const SNAKE = /_(?:test|spec|tests)$|^test_/;

const MANNERS: readonly Manner[] = [
  {
    extensions: "js jsx mjs cjs ts tsx mts cts".split(" "),
    named: /(?:^|[._-])(?:tests?|specs?|e2e|e2e-spec|cy|test-d)$/,
    byFolder: true,
    never: /\.d$/,
  },
  { extensions: ["go"], named: /_test$/ },
  { extensions: ["py"], named: /^test_|_test$|^tests$/ },
  { extensions: ["rs"], named: /_tests?$|^tests?_|^tests?$/, byFolder: true },
  {
    extensions: "java kt kts scala groovy".split(" "),
    named: CAMEL,
    never: /(?:^|\/)src\/main\//,
  },
  { extensions: ["cs", "fs", "vb"], named: /(?:Test|Tests|Spec|Specs|Facts)$/ },
  { extensions: ["swift"], named: /(?:Test|Tests|Spec)$/ },
  { extensions: ["rb", "cr"], named: SNAKE, never: /(?:^|\/)(?:test|spec|rails)_helper$/ },
  { extensions: ["php"], named: /(?:Test|Cest|Cept|Spec)$/ },
  { extensions: ["phpt", "t", "bats"], named: /./ },
  {
    extensions: "c cc cpp cxx m mm".split(" "),
    named: /(?:^|[-_.])(?:unit)?tests?$|^tests?[-_]|(?:Test|Tests)$/,
    byFolder: true,
    never: /(?:^|\/)helpers?\/|(?:^|\/)tests?[-_](?:helpers?|lib|support|utils?|main|setup)$/,
  },
  {
    extensions: ["sh", "bash", "zsh", "fish"],
    named: /^t\d{3,5}-|[-_.](?:test|spec)$|^test[-_]/,
    byFolder: true,
    never: /(?:^|\/)(?:lib[-_][^/]*|tests?[-_](?:helpers?|lib[^/]*|support|utils?|setup))$/,
  },
  {
    extensions: "exs ex dart clj cljs cljc erl zig nim jl ml gd".split(" "),
    named: /_tests?$|_SUITE$|^test_|^runtests$/,
  },
  { extensions: ["hs", "elm", "res"], named: /(?:Test|Tests|Spec)$/ },
  { extensions: ["r", "R"], named: /^test[-_]/ },
  { extensions: ["lua", "pl", "coffee"], named: /[-_.](?:test|spec)$|^test[-_]/ },
];

const MANNER_OF: Readonly<Record<string, Manner>> = Object.assign(
  Object.create(null),
  ...MANNERS.map((manner) =>
    Object.fromEntries(manner.extensions.map((extension) => [extension, manner])),
  ),
);

function isTestByFolder(path: string, stem: string): boolean {
  const folder = TEST_FOLDER.exec(path);
  if (folder === null || HELPER.test(stem) || CAMEL_HELPER.test(stem)) return false;
  return !SHARED_FOLDER.test(path.slice(folder.index + folder[0].length));
}

function mannerOf(path: string): { readonly manner: Manner | undefined; readonly stem: string } {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  const manner = dot <= 0 ? undefined : MANNER_OF[name.slice(dot + 1)];
  return { manner, stem: name.slice(0, Math.max(0, dot)) };
}

/** Whether tests read the file, or it is no work of the project's own. */
export function isFixture(path: string): boolean {
  if (FIXTURES.test(path)) return true;
  if (!CASES.test(path)) return false;
  const { manner, stem } = mannerOf(path);
  return manner?.named.test(stem) !== true;
}

/** Whether test tools would run the file; helpers, fixtures and snapshots of tests are none. */
export function isTestFile(path: string): boolean {
  const { manner, stem } = mannerOf(path);
  if (manner === undefined) return false;
  const isLikeOne = manner.named.test(stem)
    ? !CAMEL_HELPER.test(stem)
    : manner.byFolder === true && isTestByFolder(path, stem);
  if (!isLikeOne || PROGRAM.test(stem)) return false;
  return !isFixture(path) && manner.never?.test(path.slice(0, path.lastIndexOf("."))) !== true;
}
