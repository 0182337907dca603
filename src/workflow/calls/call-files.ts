/** The files of one attempt of a call: what its process reads and where it writes. */
import { join } from "node:path";
import type { JsonObject } from "../../lib/json.ts";
import { ensurePrivateDir, writePrivateFile } from "../../platform/files.ts";
import type { AgentTask, CallFiles } from "../../providers/contract.ts";
import { schemaText } from "../../providers/schema-normalise.ts";

/** Paths below the attempt's directory; nothing is made. */
export function callFiles(dir: string, task: AgentTask): CallFiles {
  return {
    dir,
    prompt: join(dir, "prompt.txt"),
    ...(task.schema === undefined ? {} : { schema: join(dir, "schema.json") }),
    output: join(dir, "output.txt"),
    usage: join(dir, "usage.json"),
    stdout: join(dir, "stdout"),
    stderr: join(dir, "stderr"),
  };
}

/** Makes the directory and, for the owner alone, what the process reads. */
export async function writeInput(
  files: CallFiles,
  prompt: string,
  schema: JsonObject | undefined,
): Promise<void> {
  await ensurePrivateDir(files.dir);
  await writePrivateFile(files.prompt, prompt);
  if (files.schema !== undefined && schema !== undefined) {
    await writePrivateFile(files.schema, schemaText(schema));
  }
}
