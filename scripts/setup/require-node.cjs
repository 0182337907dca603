// Loaded in front of every script, whose own syntax an old Node.js could not even read. This file is
// for all of them, so it keeps to the JavaScript of Node.js 6.

/** As `engines` in package.json. */
const OLDEST_MAJOR = 20;

/**
 * What to print where a Node.js is older than the project supports.
 * @param {string} version
 * @returns {string | undefined}
 */
function nodeProblem(version) {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return undefined;
  return `error: pallium needs Node.js ${OLDEST_MAJOR} or newer, this is ${version}
  hint: install a newer Node.js, then run the same command again`;
}

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

module.exports = { nodeProblem };
