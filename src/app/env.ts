/** The only reader of the process's variables, directory and home. */
import { fstatSync, statSync } from "node:fs";
import { devNull, homedir } from "node:os";
import { PalliumError } from "../lib/errors.ts";
import type { Environment } from "../platform/environment.ts";
import { readArguments, readSelf } from "./arguments.ts";

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

/** Empty where the system knows none, as in containers that run as a user without an entry. */
function readHome(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/**
 * Pipes, files and the null device are told from terminals without the streams of `process`, which
 * are slow to make.
 */
function isTerminal(descriptor: number, stream: () => NodeJS.WriteStream): boolean {
  const output = fstatSync(descriptor);
  if (!output.isCharacterDevice()) return false;
  if (output.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev) return false;
  return stream().isTTY === true;
}

/**
 * Reads the process's surroundings, once, then sets this process's time zone to UTC: the dates of
 * workflow scripts follow it. The variables returned keep the user's zone, for child processes.
 */
export function readEnvironment(): Environment {
  const stdoutIsTerminal = isTerminal(1, () => process.stdout);
  const environment: Environment = {
    argv: readArguments(),
    variables: readVariables(),
    cwd: readDirectory(),
    home: readHome(),
    stdoutIsTerminal,
    stderrIsTerminal: isTerminal(2, () => process.stderr),
    ...(stdoutIsTerminal ? { columns: process.stdout.columns } : {}),
    self: readSelf(),
  };
  process.env.TZ = SCRIPT_TIME_ZONE;
  return environment;
}
