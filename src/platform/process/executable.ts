import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of the program a name stands for; `undefined` when there is none.
 * A name with a slash is resolved against `cwd` (absolute). Any other is looked up in
 * `pathVariable`, whose relative and empty entries do not count: a repository must not be able to
 * put its own `git` in front of the real one.
 */
export function findExecutable(
  name: string,
  pathVariable: string,
  cwd: string,
): string | undefined {
  if (name === "") return undefined;
  if (name.includes("/")) {
    const path = resolve(cwd, name);
    return isExecutable(path) ? path : undefined;
  }
  return pathVariable
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
    .find(isExecutable);
}
