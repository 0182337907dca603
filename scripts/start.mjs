/**
 * `npm start`: sets up, then runs pallium's main job over this checkout. With `--agents` an
 * installed agent takes part; without, nothing leaves this machine.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import "./setup/require-node.cjs";
import { findBun } from "./setup/find-bun.mjs";
import { install } from "./setup/install.mjs";
import { runMain, SetupProblem } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { BUN_CONFINED, runAttached, withoutBunVariables } from "./setup/run-attached.mjs";

const AGENTS = join(ROOT, "scripts/agents.ts");
const USAGE = `Usage: npm start [-- --agents]

Runs docs/examples/repo-checkup.js over this checkout.
  --agents  let a coding agent that is installed and logged in take part`;

function checkGit() {
  if (spawnSync("git", ["--version"]).status === 0) return;
  throw new SetupProblem("git was not found", "install git, then run the same command again");
}

/**
 * The agent that takes part; `undefined` where none is installed and logged in.
 * @throws {SetupProblem} What was asked for can be no agent; the reason is printed.
 * @param {readonly [string, ...string[]]} bun
 * @param {NodeJS.ProcessEnv} env
 */
function chooseAgent([program, ...words], env) {
  const { status, stdout } = spawnSync(program, [...words, AGENTS, "--choose"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status === 0) return stdout.trim() || undefined;
  throw new SetupProblem(
    "it could not be found out which agent takes part",
    "mend what is said above, or leave out --agents",
  );
}

await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  const unknown = words.find((word) => word !== "--agents");
  if (unknown !== undefined) throw new SetupProblem(`unknown argument ${unknown}`, USAGE);
  checkGit();
  install(ROOT, "dependencies");
  const env = withoutBunVariables(process.env);
  /** @type {readonly [string, ...string[]]} */
  const bun = [findBun(ROOT), ...BUN_CONFINED];
  const asked = words.includes("--agents");
  const agent = asked ? chooseAgent(bun, env) : undefined;
  if (asked && agent === undefined) {
    console.log("No agent is ready to take part: going on without.\n");
  }
  const script = ["--script", join(ROOT, "docs/examples/repo-checkup.js"), "--cwd", ROOT];
  const args = ["--args", JSON.stringify({ agents: agent !== undefined })];
  const job = [join(ROOT, "src/main.ts"), "workflow", "run", ...script, ...args];
  const status = await runAttached([...bun, ...job], {
    env: agent === undefined ? env : { ...env, PALLIUM_WORKFLOW_PROVIDER: agent },
  });
  if (status !== 0) return status;
  console.log("\nThe run is kept. More about it: node scripts/pallium.mjs workflow list");
  return agent === undefined ? runAttached([...bun, AGENTS], { env }) : 0;
});
