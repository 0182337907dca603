import { spawnSync } from "node:child_process";

/** The environment without what redirects git to another repository, as inside a hook. */
function withoutGitVariables() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return Object.fromEntries(kept);
}

/**
 * The commit that is checked out in `root`, marked when the files differ from it.
 * @param {string} root Absolute path.
 * @returns {string} `unknown` where `root` is no repository of its own, also inside of another.
 */
export function commitOf(root) {
  const env = withoutGitVariables();
  /** @param {...string} args */
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8", env });
  const head = git("rev-parse", "--short=12", "HEAD");
  const isTop = git("rev-parse", "--show-prefix").stdout?.trim() === "";
  if (head.status !== 0 || !isTop) return "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no").stdout.trim() !== "";
  return changed ? `${head.stdout.trim()}-dirty` : head.stdout.trim();
}
