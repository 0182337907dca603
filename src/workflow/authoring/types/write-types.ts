/** `workflow types`: the declarations as text, or in a file beside scripts. */
import { dirname, resolve } from "node:path";
import { PalliumError, usageError } from "../../../lib/errors.ts";
import {
  ensurePrivateDir,
  isDirectory,
  readTextFile,
  writeFileDurable,
} from "../../../platform/files.ts";
import type { WorkflowPowers } from "../../powers.ts";
import { scriptTypes, TYPES_MARK } from "./script-types.ts";

export interface TypesRequest {
  /** File to write; a relative one begins where pallium was started. */
  readonly output?: string;
  /** Overwrite what is there, whatever it is. */
  readonly force?: boolean;
}

export interface WrittenTypes {
  /** Absolute path of the file; empty where none was asked for. */
  readonly path: string;
  /** TypeScript declarations. */
  readonly text: string;
}

/** @throws PalliumError `types_exist` where a file is there that is not one of these. */
export async function writeTypes(
  { environment }: Pick<WorkflowPowers, "environment">,
  { output, force = false }: TypesRequest,
): Promise<WrittenTypes> {
  const text = scriptTypes();
  if (output === undefined) return { path: "", text };
  if (output === "") throw usageError("--output needs a file", "such as: --output pallium.d.ts");
  const path = resolve(environment.cwd, output);
  await assertOurs(path, force);
  await ensurePrivateDir(dirname(path));
  await writeFileDurable(path, text, 0o644);
  return { path, text };
}

async function assertOurs(path: string, force: boolean): Promise<void> {
  if (await isDirectory(path)) {
    throw new PalliumError("types_exist", `a folder is at ${path}`, {
      hints: ["name the file to write, such as pallium.d.ts"],
    });
  }
  if (force) return;
  const there = await readTextFile(path);
  if (there === undefined || there.startsWith(TYPES_MARK)) return;
  throw new PalliumError("types_exist", `another file is at ${path}; pass --force to overwrite`, {
    hints: ["choose another name, or look at what is there first"],
  });
}
