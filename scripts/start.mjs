/**
 * `npm start`: sets up, then runs pallium's main job over this checkout. With `--agents` it
 * lets the installed agents take part; without, nothing leaves this machine.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkNode } from "./setup/check-node.mjs";
import { findBun } from "./setup/find-bun.mjs";
import { install } from "./setup/install.mjs";
import { runMain, SetupProblem } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { BUN_CONFINED, runAttached, withoutBunVariables } from "./setup/run-attached.mjs";

const USAGE = `Usage: npm start [-- --agents]

Runs docs/examples/repo-checkup.js over this checkout.
  --agents  let the coding agents that are installed and logged in take part`;

function checkGit() {
  if (spawnSync("git", ["--version"]).status === 0) return;
  throw new SetupProblem("git was not found", "install git, then run the same command again");
}

await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  const unknown = words.find((word) => word !== "--agents");
  if (unknown !== undefined) throw new SetupProblem(`unknown argument ${unknown}`, USAGE);
  checkNode();
  checkGit();
  install(ROOT, "dependencies");
  const bun = findBun(ROOT);
  const env = withoutBunVariables(process.env);
  const agents = words.includes("--agents");
  const job = ["workflow", "run", "--script", join(ROOT, "docs/examples/repo-checkup.js")];
  const input = ["--cwd", ROOT, "--args", JSON.stringify({ agents })];
  const program = [...BUN_CONFINED, join(ROOT, "src/main.ts")];
  const status = await runAttached([bun, ...program, ...job, ...input], { env });
  console.log("\nThe run is kept. More about it: node scripts/pallium.mjs workflow list");
  if (status !== 0 || agents) return status;
  return runAttached([bun, ...BUN_CONFINED, join(ROOT, "scripts/agents.ts")], { env });
});
