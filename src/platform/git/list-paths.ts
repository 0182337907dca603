import { decodePath } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import type { Git } from "./runner.ts";

/** The paths that a git command with `-z` prints. */
export async function listPaths(
  git: Pick<Git, "stream">,
  cwd: string,
  args: readonly string[],
): Promise<string[]> {
  const paths: string[] = [];
  for await (const field of nulFields(git.stream(args, { cwd }))) paths.push(decodePath(field));
  return paths;
}
