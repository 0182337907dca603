/** What the process was started with; apart from `env` so that `version` loads nothing else. */

/** The arguments after the program's own name. */
export function readArguments(): readonly string[] {
  return process.argv.slice(2);
}

/**
 * The command that starts this program again. From source the runtime is kept from reading `.env`
 * and `bunfig.toml` of the directory it is started in.
 */
export function readSelf(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, "--config=/dev/null", "--no-env-file", Bun.main];
}
