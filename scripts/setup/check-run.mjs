import { existsSync } from "node:fs";
import { join } from "node:path";
import { runBunTests } from "./bun-tests.mjs";
import "./require-node.cjs";
import { findBun } from "./find-bun.mjs";
import { install } from "./install.mjs";
import { ROOT } from "./root.mjs";
import { commandCheck, NOTHING, runStep, sum } from "./run-step.mjs";

const PROVIDER_CLIS = join(ROOT, "test", "provider-clis");

/** @param {string} name */
function bin(name) {
  return join(ROOT, "node_modules", ".bin", name);
}

/**
 * Installs what the checks need, if it is not there yet.
 * @returns {string} Path of Bun.
 */
export function setUp() {
  install(ROOT, "dependencies");
  if (existsSync(join(PROVIDER_CLIS, "package-lock.json"))) {
    install(PROVIDER_CLIS, "the agent command lines that tests drive (about 640 MB, once)");
  }
  return findBun(ROOT);
}

/** What tests start most often, by the variable that names it to them; from source each start takes thrice as long. */
const BUILT = {
  PALLIUM_TEST_EXECUTABLE: ["pallium", "src/main.ts"],
  PALLIUM_TEST_PROGRAMS: ["test-programs", "test/support/test-programs.ts"],
};

/**
 * Builds them; what cannot be built is tested from source.
 * @param {Record<string, string>} built is given the variables.
 * @returns {Promise<import("./run-step.mjs").Counts>}
 */
async function build(built) {
  let total = NOTHING;
  for (const [variable, [name = "", entry = ""]] of Object.entries(BUILT)) {
    const outfile = join(ROOT, "dist", name);
    const args = [join(ROOT, "scripts", "build.mjs"), "--outfile", outfile, "--entry", entry];
    const counts = await commandCheck(process.execPath, args, { cwd: ROOT });
    if (counts.failed === 0) built[variable] = outfile;
    total = sum(total, counts);
  }
  return total;
}

/**
 * Every check of the source, then the tests.
 * @param {string} bun Path of Bun.
 * @returns {Promise<import("./run-step.mjs").Counts>}
 */
export async function runChecks(bun) {
  const here = { cwd: ROOT };
  /** @type {Record<string, string>} */
  const built = {};
  /** @type {readonly [string, () => Promise<import("./run-step.mjs").Counts>][]} */
  const steps = [
    ["format and lint", () => commandCheck(bin("biome"), ["ci", "--error-on-warnings"], here)],
    ["types", () => commandCheck(bin("tsc"), [], here)],
    ["imports", () => commandCheck(bun, ["scripts/check-imports.ts"], here)],
    ["sizes", () => commandCheck(bun, ["scripts/check-size.ts"], here)],
    ["documentation", () => commandCheck(bun, ["scripts/check-docs.ts"], here)],
    ["build", () => build(built)],
    // A file to each processor at a time: most of what tests take is waiting for processes.
    [
      "tests",
      () => runBunTests(bun, ["--parallel"], { ...here, env: { ...process.env, ...built } }),
    ],
  ];
  let total = NOTHING;
  for (const [name, work] of steps) total = sum(total, await runStep(name, work));
  return total;
}
