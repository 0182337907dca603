import { statSync } from "node:fs";
import { messageOf, PalliumError } from "../../lib/errors.ts";

/** Says why a process could not be started: the system blames the program for a missing directory. */
export function spawnError(thrown: unknown, program: string, cwd: string): PalliumError {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return new PalliumError("directory_missing", `no such directory: ${cwd}`, {
      hints: ["the working directory of a command must exist when it starts"],
      cause: thrown,
    });
  }
  return new PalliumError("spawn_failed", `could not start ${program}: ${messageOf(thrown)}`, {
    hints: ["check its arguments and environment, whose sizes are limited"],
    cause: thrown,
  });
}
