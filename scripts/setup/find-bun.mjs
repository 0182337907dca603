import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupProblem } from "./problem.mjs";

/**
 * @param {string} root
 * @returns {string | undefined}
 */
function pinnedVersion(root) {
  const manifest = join(root, "node_modules", "bun", "package.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
}

/**
 * The `bun` package's own install script moves the binary of the platform package to its place.
 * Where install scripts are blocked that place holds a stub, and the binary is still in the
 * platform package.
 * @param {string} root
 */
function candidates(root) {
  const scope = join(root, "node_modules", "@oven");
  const platforms = existsSync(scope) ? readdirSync(scope) : [];
  const own = `bun-${process.platform}`;
  return [
    join(root, "node_modules", "bun", "bin", "bun.exe"),
    ...platforms.filter((name) => name.startsWith(own)).map((name) => join(scope, name, "bin/bun")),
  ];
}

/**
 * @param {string} path
 * @param {string} version
 */
function runs(path, version) {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return status === 0 && stdout.trim() === version;
}

/**
 * The pinned Bun below `root`, whether or not install scripts were allowed.
 * @param {string} root Absolute path of the checkout.
 * @returns {string | undefined} Absolute path of a binary that runs here; `undefined` when there is none.
 */
export function lookForBun(root) {
  const version = pinnedVersion(root);
  if (version === undefined) return undefined;
  return candidates(root).find((path) => runs(path, version));
}

/**
 * As `lookForBun`, where its absence is an error.
 * @param {string} root
 * @throws {SetupProblem} No installed binary runs on this machine.
 */
export function findBun(root) {
  const found = lookForBun(root);
  if (found !== undefined) return found;
  throw new SetupProblem(
    `no working Bun for ${process.platform}-${process.arch} is installed in ${root}`,
    `run "npm ci --include=dev --include=optional" in ${root}`,
    "if that does not help, this platform is not one that Bun supports",
  );
}
