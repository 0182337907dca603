/** What makes git behave the same for every user, repository and caller. */

const CONFIG: Readonly<Record<string, string>> = {
  "color.branch": "false",
  "color.diff": "false",
  "color.grep": "false",
  "color.status": "false",
  "color.ui": "false",
  "column.ui": "never",
  "commit.gpgSign": "false",
  // The default makes git unpack the same trees again and again while it goes through a history.
  "core.deltaBaseCacheLimit": "256m",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.quotePath": "false",
  "credential.helper": "",
  "diff.context": "3",
  "diff.dstPrefix": "b/",
  "diff.interHunkContext": "0",
  "diff.mnemonicPrefix": "false",
  "diff.noprefix": "false",
  "diff.orderFile": "/dev/null",
  "diff.relative": "false",
  "diff.srcPrefix": "a/",
  "diff.submodule": "short",
  "diff.suppressBlankEmpty": "false",
  "gc.auto": "0",
  "log.showSignature": "false",
  "maintenance.auto": "false",
  "status.relativePaths": "true",
  "status.showUntrackedFiles": "normal",
  "submodule.recurse": "false",
  "tag.gpgSign": "false",
};

/** Commands that print patches, and so might start a program named in configuration or attributes. */
const PATCH_COMMANDS = new Set([
  "diff",
  "diff-files",
  "diff-index",
  "diff-tree",
  "format-patch",
  "log",
  "show",
]);

/**
 * Of the variables that steer git only these are kept: who commits, where the user's own
 * configuration lies, and how far up a repository is looked for. The others can redirect git to
 * another repository (as inside a hook) or start programs.
 */
const KEPT_VARIABLE =
  /^GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES|EXEC_PATH)$/;

const SET_VARIABLES: Readonly<Record<string, string>> = {
  GIT_ASKPASS: "",
  GIT_EDITOR: ":",
  // Git would write each commit by itself into a pipe, which wakes the reader as often.
  GIT_FLUSH: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Arguments of git for a command and its arguments, with all that is configurable pinned down. */
export function neutralArguments(args: readonly string[]): string[] {
  const settings = Object.entries(CONFIG).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const [command = "", ...rest] = args;
  const patchOptions = PATCH_COMMANDS.has(command) ? ["--no-ext-diff", "--no-textconv"] : [];
  return ["--no-pager", ...settings, command, ...patchOptions, ...rest];
}

/** Environment variables for git, from those of the caller. */
export function neutralVariables(
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(variables).filter(
    ([name]) => !name.startsWith("GIT_") || KEPT_VARIABLE.test(name),
  );
  return { ...Object.fromEntries(kept), ...SET_VARIABLES };
}
