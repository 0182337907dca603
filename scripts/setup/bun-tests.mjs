import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOTHING, runCommand } from "./run-step.mjs";

/** Reads the totals of a JUnit report, the attributes of its outermost element. */
export function junitCounts(report) {
  const element = /<testsuites\b[^>]*>/.exec(report)?.[0];
  if (element === undefined) return undefined;
  const attribute = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(element)?.[1] ?? 0);
  const failed = attribute("failures") + attribute("errors");
  const skipped = attribute("skipped");
  return { passed: attribute("tests") - failed - skipped, failed, skipped };
}

function readCounts(path) {
  try {
    return junitCounts(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Runs `bun test` and counts tests by its JUnit report. A run that ends badly without a failed
 * test in the report (a crash, a file that does not load) counts as one failure more.
 * @param {string} bun Path of the binary.
 * @param {readonly string[]} args Arguments of `bun test`.
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<import("./run-step.mjs").Counts>}
 */
export async function runBunTests(bun, args, options) {
  const directory = mkdtempSync(join(tmpdir(), "pallium-junit-"));
  try {
    const report = join(directory, "report.xml");
    const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
    const status = await runCommand(bun, ["test", ...reporter, ...args], options);
    const counts = readCounts(report) ?? NOTHING;
    return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
