/**
 * `npm test`: sets up, then runs every check and every test. With arguments it runs only the
 * tests they choose: `npm test -- test/unit/lib`, `npm test -- --only "near match"`.
 */
import { runBunTests } from "./setup/bun-tests.mjs";
import { runChecks, setUp } from "./setup/check-run.mjs";
import { runMain, SetupProblem } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { totalLine } from "./setup/run-step.mjs";

/**
 * Translates `--only <pattern>` and file arguments to arguments of `bun test`.
 * @param {readonly string[]} words
 */
function chosenTests(words) {
  const position = words.indexOf("--only");
  if (position === -1) return words;
  const pattern = words[position + 1];
  if (pattern === undefined) {
    throw new SetupProblem("--only needs a pattern", 'such as: npm test -- --only "near match"');
  }
  return [...words.slice(0, position), ...words.slice(position + 2), "-t", pattern];
}

await runMain(async () => {
  const words = chosenTests(process.argv.slice(2));
  const bun = setUp();
  const counts =
    words.length > 0 ? await runBunTests(bun, words, { cwd: ROOT }) : await runChecks(bun);
  console.log(`\n${totalLine(counts)}`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
});
