import { SetupProblem } from "./problem.mjs";

const OLDEST_MAJOR = 20;

/** @throws {SetupProblem} This Node.js is older than the project supports. */
export function checkNode(version = process.versions.node) {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new SetupProblem(
    `pallium needs Node.js ${OLDEST_MAJOR} or newer, this is ${version}`,
    "install a newer Node.js, then run the same command again",
  );
}
