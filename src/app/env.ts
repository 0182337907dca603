/** The only reader of the process's variables, arguments, directory and home. */
import { homedir } from "node:os";
import { PalliumError } from "../lib/errors.ts";
import type { Environment } from "../platform/environment.ts";

const SCRIPT_TIME_ZONE = "Etc/UTC";

function readVariables(): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

function readDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new PalliumError("no_directory", "the current directory does not exist any more", {
      cause,
      hints: ["change to a directory that exists"],
    });
  }
}

/** From source the runtime is kept from reading `.env` and `bunfig.toml` of the user's directory. */
function readSelf(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, "--config=/dev/null", "--no-env-file", Bun.main];
}

/** The arguments after the program's own name. */
export function readArguments(): readonly string[] {
  return process.argv.slice(2);
}

/**
 * Reads the process's surroundings, once, then sets this process's time zone to UTC: the dates of
 * workflow scripts follow it. The variables returned keep the user's zone, for child processes.
 */
export function readEnvironment(): Environment {
  const environment: Environment = {
    argv: readArguments(),
    variables: readVariables(),
    cwd: readDirectory(),
    home: homedir(),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
    self: readSelf(),
  };
  process.env.TZ = SCRIPT_TIME_ZONE;
  return environment;
}
