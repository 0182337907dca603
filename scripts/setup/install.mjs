import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { codeOf, SetupProblem } from "./problem.mjs";

const NPM_CI = [
  "ci",
  "--include=dev",
  "--include=optional",
  "--engine-strict=false",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];
const NETWORK_CODES = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"];

/**
 * What an installation depends on; kept inside node_modules, so that it disappears with it.
 * @param {string} directory
 */
function fingerprint(directory) {
  const lock = readFileSync(join(directory, "package-lock.json"));
  return createHash("sha256")
    .update(lock)
    .update(`${process.platform}-${process.arch}`)
    .digest("hex");
}

/** @param {string} directory */
function stampPath(directory) {
  return join(directory, "node_modules", ".pallium-installed");
}

/**
 * Whether `directory` holds exactly what its lock file says, as installed by `install`.
 * @param {string} directory Absolute path.
 */
function isInstalled(directory) {
  const stamp = stampPath(directory);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(directory);
}

/**
 * Whether a folder can be written, or made where it is missing.
 * @param {string} path
 * @returns {boolean}
 */
function canHold(path) {
  if (!existsSync(path)) return path !== dirname(path) && canHold(dirname(path));
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Runs `npm ci` to its end. Where npm cannot keep its downloads, as with a home that cannot be
 * written, they are kept for this once in a folder for temporary files.
 * @param {string} directory
 */
function npmCi(directory) {
  const own = process.env.npm_config_cache ?? join(homedir(), ".npm");
  const cache = canHold(own) ? undefined : mkdtempSync(join(tmpdir(), "pallium-npm-"));
  const env = { ...process.env, npm_config_global: "false", npm_config_dry_run: "false" };
  try {
    return spawnSync("npm", NPM_CI, {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
      env: cache === undefined ? env : { ...env, npm_config_cache: cache },
    });
  } finally {
    if (cache !== undefined) rmSync(cache, { recursive: true, force: true });
  }
}

/**
 * @param {string} directory
 * @param {import("node:child_process").SpawnSyncReturns<string>} result
 */
function installProblem(directory, { error, status, stderr }) {
  const again = "then run the same command again; what is already there is kept";
  if (codeOf(error) === "ENOENT") {
    return new SetupProblem("npm was not found", "install npm, which comes with Node.js", again);
  }
  if (error !== undefined) return new SetupProblem(`npm could not be started: ${error.message}`);
  const code = NETWORK_CODES.find((name) => stderr.includes(name));
  if (code !== undefined) {
    return new SetupProblem(
      `npm ci in ${directory} could not reach the package registry (${code})`,
      'check the network, and "npm config get proxy" and "npm config get registry"',
      again,
    );
  }
  return new SetupProblem(
    `npm ci in ${directory} failed with status ${status}`,
    "what npm printed above says why; mend it",
    again,
  );
}

/**
 * Runs `npm ci` in `directory` unless what it would install is there already. One at a time: two
 * would remove what the other has just installed.
 * @param {string} directory Absolute path of a folder with package.json and package-lock.json.
 * @param {string} what Named in the one line that is printed before a real installation.
 * @throws {SetupProblem} npm is missing or failed, or the folder cannot be written.
 */
export function install(directory, what) {
  if (isInstalled(directory)) return;
  if (!canHold(directory)) {
    throw new SetupProblem(
      `cannot install ${what}: ${directory} cannot be written`,
      "make it writable for this user, or work in a copy of your own",
    );
  }
  const lock = join(directory, ".installing");
  /** @param {number} pid */
  const onWait = (pid) => console.error(`Waiting for process ${pid}, which installs ${what} ...`);
  withLock(lock, onWait, () => installNow(directory, what));
}

/**
 * @param {string} directory
 * @param {string} what
 */
function installNow(directory, what) {
  if (isInstalled(directory)) return;
  console.error(`Installing ${what} ...`);
  const result = npmCi(directory);
  if (result.stderr) process.stderr.write(result.stderr);
  if (result.status !== 0) throw installProblem(directory, result);
  writeFileSync(stampPath(directory), fingerprint(directory));
}
