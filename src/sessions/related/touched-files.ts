/** Which sessions read or changed a file of a repository. */
import { join, posix } from "node:path";
import type { Reader } from "../../platform/sqlite/database.ts";

/** Where the agent's path may begin: the session's directory. */
interface Touch {
  readonly session: number;
  readonly path: string;
  readonly cwd: string;
}

/**
 * Keys of the sessions that touched a file by its own path: another file of the same name is none.
 * @param trees absolute tops of the repository's working trees and clones.
 * @param file relative to them.
 */
export function sessionsThatTouched(
  reader: Reader,
  trees: readonly string[],
  file: string,
): ReadonlySet<number> {
  const targets = new Set(trees.map((tree) => join(tree, file)));
  const absolute = reader.all<{ session: number }>(
    `SELECT DISTINCT session FROM touches WHERE path IN (${marks(targets.size)})`,
    ...targets,
  );
  const written = relativeForms(file);
  const relative = reader.all<Touch>(
    `SELECT DISTINCT touches.session, touches.path, sessions.cwd
     FROM touches JOIN sessions ON sessions.key = touches.session
     WHERE touches.path IN (${marks(written.length)})`,
    ...written,
  );
  return new Set([
    ...absolute.map(({ session }) => session),
    ...relative
      .filter(({ cwd, path }) => targets.has(join(cwd, path)))
      .map(({ session }) => session),
  ]);
}

/** The path as an agent may write it that stands in the repository's top or in a folder below. */
function relativeForms(file: string): readonly string[] {
  const names = file.split(posix.sep);
  const forms = names.map((_, index) => names.slice(index).join("/"));
  return forms.flatMap((form) => [form, `./${form}`]);
}

function marks(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
