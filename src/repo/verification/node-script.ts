/** What the `test` script of a `package.json` runs, and whether file names added to it arrive. */

export type TestRunner = "vitest" | "jest" | "mocha" | "node" | "bun" | "ava" | "playwright";

const RUNNERS: readonly (readonly [TestRunner, RegExp])[] = [
  ["vitest", /\bvitest\b/],
  ["jest", /\bjest\b|\breact-scripts test\b|\bcraco test\b/],
  ["mocha", /\bmocha\b/],
  ["node", /\b(?:node|tsx)\b.*\s--test(?![\w-])/],
  ["bun", /\bbun test\b/],
  ["playwright", /\bplaywright test\b/],
  ["ava", /\bava\b/],
];

/** Programs that run other scripts, and keep arguments to themselves. */
const DELEGATES =
  /^(?:npx\s+)?(?:turbo|nx|lerna|rush|moon|wireit|npm-run-all2?|run-[sp]|concurrently|npm|pnpm|yarn|bun run|make)\b/;
const WATCHES = /(?:^|\s)--watch(?:All)?(?!=false|[\w-])|\bvitest (?:watch|dev)\b/;
const ASSIGNMENTS = /^(?:(?:cross-env(?:-shell)?|env)\s+)?(?:[A-Za-z_]\w*=\S*\s+)*/;

export interface ScriptFacts {
  /** The runner that comes last, which is the one that added arguments reach. */
  readonly runner?: TestRunner;
  readonly takesFiles: boolean;
  /** Goes on for ever once the tests have run. */
  readonly watches: boolean;
  /** Needs this to end by itself. */
  readonly endsWith: readonly string[];
  /** The words of its last command where it names files of its own, less those files. */
  readonly withoutFiles?: readonly string[];
}

/** Reads a script; what it does not know may be a program that takes files. */
export function scriptFacts(script: string): ScriptFacts {
  const commands = script.split(/&&|\|\||[;|]/).map((part) => part.trim().replace(ASSIGNMENTS, ""));
  const last = commands.at(-1) ?? "";
  const runner = RUNNERS.find(([, pattern]) => pattern.test(last))?.[0];
  const delegates = DELEGATES.test(last) && runner === undefined;
  const withoutFiles = runner === undefined ? undefined : wordsWithoutFiles(last, script);
  return {
    ...(runner === undefined ? {} : { runner }),
    takesFiles: runner !== undefined || (!delegates && commands.length === 1),
    watches: WATCHES.test(script),
    endsWith: endings(last),
    ...(withoutFiles === undefined ? {} : { withoutFiles }),
  };
}

function endings(command: string): readonly string[] {
  if (/\b(?:react-scripts|craco) test\b/.test(command)) return ["--watchAll=false"];
  if (/\bng test\b/.test(command)) return ["--watch=false"];
  return [];
}

const FILE_WORD = /[*/]|\.[cm]?[jt]sx?$|^(?:tests?|specs?|src|lib|__tests__)$/;
/** Programs whose next word is one of their commands. */
const WITH_COMMANDS = /^(?:bun|playwright|react-scripts|craco|vitest)$/;
const PLAIN_WORDS = /^[\w@%+=:,./*'"{}\s-]+$/;

/**
 * Files that a script names would all run beside an added one. Only for a script of one plain
 * command, whose words mean the same without a shell.
 */
function wordsWithoutFiles(command: string, script: string): readonly string[] | undefined {
  if (command !== script.trim() || !PLAIN_WORDS.test(command)) return undefined;
  const words = command.split(/\s+/).map((word) => word.replaceAll(/["']/g, ""));
  const rest = words.filter((word, index) => {
    const before = words[index - 1];
    return before === undefined || isKept(word, before);
  });
  return rest.length === words.length ? undefined : rest;
}

/** Options, their values and commands are kept, files are not. */
function isKept(word: string, before: string): boolean {
  if (word.startsWith("-") || WITH_COMMANDS.test(before)) return true;
  return (before.startsWith("-") && before !== "--test") || !FILE_WORD.test(word);
}
