#!/usr/bin/env node
/**
 * The `pallium` command of the npm package. It runs on Node.js and starts the executable, so that
 * nothing in the current directory is ever loaded: not its `.env`, not its `bunfig.toml`.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { lookForBun } from "./setup/find-bun.mjs";
import { codeOf, runMain, SetupProblem } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { BUN_CONFINED, runAttached, withoutBunVariables } from "./setup/run-attached.mjs";

const PLATFORM_PACKAGE = `pallium-${process.platform}-${process.arch}`;

function platformExecutable() {
  try {
    return createRequire(import.meta.url).resolve(`${PLATFORM_PACKAGE}/bin/pallium`);
  } catch (error) {
    if (codeOf(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/**
 * How to start pallium: the built executable, the platform package's, or the source.
 * @returns {[string, ...string[]]}
 */
function program() {
  const built = join(ROOT, "dist", "pallium");
  if (existsSync(built)) return [built];
  const packaged = platformExecutable();
  if (packaged !== undefined) return [packaged];
  const bun = lookForBun(ROOT);
  if (bun !== undefined) return [bun, ...BUN_CONFINED, join(ROOT, "src", "main.ts")];
  throw new SetupProblem(
    `there is no pallium executable for ${process.platform}-${process.arch}`,
    `from npm: install again without --omit=optional, so that ${PLATFORM_PACKAGE} comes with it`,
    'from a checkout: run "npm ci" there first',
  );
}

await runMain(() => {
  const command = program();
  command.push(...process.argv.slice(2));
  return runAttached(command, { env: withoutBunVariables(process.env) });
});
