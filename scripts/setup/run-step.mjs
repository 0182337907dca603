import { spawn } from "node:child_process";

/**
 * What checks and tests came to.
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** @returns {Counts} */
export function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** The last line of a test run: `N passed, N failed`, and what was skipped, if anything was. */
export function totalLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/**
 * Runs a command to its end with its output on this terminal and no input.
 * @returns {Promise<number>} Its exit status; 1 when it could not start or died of a signal.
 */
export function runCommand(command, args, { cwd, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      console.error(`error: cannot start ${command}: ${error.message}`);
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

/** A command that counts as one check: passed when its status is 0. */
export async function commandCheck(command, args, options) {
  const status = await runCommand(command, args, options);
  return status === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}
