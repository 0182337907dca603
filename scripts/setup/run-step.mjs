import { spawn } from "node:child_process";

/**
 * What checks and tests came to.
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Where a command runs, and with which variables; this process's own without.
 * @typedef {{ cwd: string, env?: NodeJS.ProcessEnv }} Place
 */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {Counts} one
 * @param {Counts} other
 * @returns {Counts}
 */
export function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/**
 * The last line of a test run: `N passed, N failed`, and what was skipped, if anything was.
 * @param {Counts} counts
 */
export function totalLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/**
 * Runs a command to its end with its output on this terminal and no input.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Place} place
 * @returns {Promise<number>} Its exit status; 1 when it could not start or died of a signal.
 */
export function runCommand(program, args, { cwd, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      console.error(`error: cannot start ${program}: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (status) => resolve(status ?? 1));
  });
}

/**
 * Runs one step of a check run between a heading and the time it took.
 * @param {string} name
 * @param {() => Promise<Counts>} work
 * @returns {Promise<Counts>}
 */
export async function runStep(name, work) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const counts = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${name}: ${totalLine(counts)} (${seconds} s)`);
  return counts;
}

/**
 * A command that counts as one check: passed when its status is 0.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Place} place
 * @returns {Promise<Counts>}
 */
export async function commandCheck(program, args, place) {
  const status = await runCommand(program, args, place);
  return status === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}
