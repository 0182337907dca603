import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "./problem.mjs";
import { NOTHING, runCommand } from "./run-step.mjs";

/** For one test, where it names no other: starting processes takes its time on a busy machine. */
const PATIENCE = "--timeout=30000";

/**
 * Reads the totals of a JUnit report, the attributes of its outermost element.
 * @param {string} report
 * @returns {import("./run-step.mjs").Counts | undefined} `undefined` when it is no such report.
 */
export function junitCounts(report) {
  const element = /<testsuites\b[^>]*>/.exec(report)?.[0];
  if (element === undefined) return undefined;
  /** @param {string} name */
  const attribute = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(element)?.[1] ?? 0);
  const failed = attribute("failures") + attribute("errors");
  const skipped = attribute("skipped");
  return { passed: attribute("tests") - failed - skipped, failed, skipped };
}

/** @param {string} path */
function readCounts(path) {
  try {
    return junitCounts(readFileSync(path, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Runs `bun test` and counts tests by its JUnit report. A run that ends badly without a failed
 * test in the report (a crash, a file that does not load) counts as one failure more.
 * @param {string} bun Path of the binary.
 * @param {readonly string[]} args Arguments of `bun test`.
 * @param {import("./run-step.mjs").Place} place
 * @returns {Promise<import("./run-step.mjs").Counts>}
 */
export async function runBunTests(bun, args, place) {
  const directory = mkdtempSync(join(tmpdir(), "pallium-junit-"));
  try {
    const report = join(directory, "report.xml");
    const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
    const status = await runCommand(bun, ["test", PATIENCE, ...reporter, ...args], place);
    const counts = readCounts(report);
    if (counts === undefined) return { ...NOTHING, failed: 1 };
    return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
