/** Where the files are that the workers of a call write to, one pair for each time it was asked. */
import { join } from "node:path";
import { fileStamp } from "../../platform/file-stamp.ts";
import { listDirectories } from "../../platform/files.ts";
import { pidFile } from "../../platform/process/wrapper.ts";
import { callDirectory } from "../calls/child.ts";

export const OUTPUT_STREAMS = ["stdout", "stderr"] as const;
export type OutputStream = (typeof OUTPUT_STREAMS)[number];

export interface Attempt {
  /** Empty for the first; `retry`, `first-1` and the like for those that followed. */
  readonly name: string;
  readonly directory: string;
  /** Another one where the same attempt was begun anew. */
  readonly stamp: string;
}

/** The times that a worker was started for a call, in that order. */
export async function attemptsOf(runDirectory: string, callId: string): Promise<Attempt[]> {
  const directory = callDirectory({ directory: runDirectory }, callId);
  const names = ["", ...(await listDirectories(directory))];
  const attempts = await Promise.all(
    names.map(async (name) => {
      const own = join(directory, name);
      // A program that does not exist leaves no pid, only what a shell would say of it.
      const found = (await fileStamp(pidFile(own))) ?? (await fileStamp(join(own, "stderr")));
      if (found === undefined) return [];
      return [{ name, directory: own, stamp: found.stamp, writtenMs: found.writtenMs }];
    }),
  );
  return attempts.flat().sort((a, b) => a.writtenMs - b.writtenMs);
}

export function outputFile({ directory }: Attempt, stream: OutputStream): string {
  return join(directory, stream);
}
