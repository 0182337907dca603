/** Which sessions read or changed a file of a repository. */
import { posix, win32 } from "node:path";
import { isWindowsPath } from "../../lib/windows-path.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { TouchKind } from "../transcripts/types.ts";

export interface FileTouch {
  /** Key of the session. */
  readonly session: number;
  readonly line_no: number;
  /** UTC with milliseconds; empty where the transcript has no times. */
  readonly timestamp: string;
  readonly kind: TouchKind;
}

/**
 * Every time a session touched a file by its own path: another file of the same name is none.
 * @param trees absolute tops of the repository's working trees and clones.
 * @param file relative to them.
 */
export function touchesOf(
  reader: Reader,
  trees: readonly string[],
  file: string,
): readonly FileTouch[] {
  const targets = new Set(trees.flatMap((tree) => spellings(pathsOf(tree).join(tree, file))));
  const written = relativeForms(file);
  const touches = reader.all<FileTouch & { readonly path: string; readonly cwd: string }>(
    `SELECT session, line_no, touches.timestamp, kind, touches.path, sessions.cwd
     FROM touches JOIN sessions ON sessions.key = touches.session
     WHERE touches.path IN (${marks(targets.size + written.length)})`,
    ...targets,
    ...written,
  );
  return touches.filter(({ cwd, path }) => {
    const { isAbsolute, join } = pathsOf(cwd);
    return targets.has(isAbsolute(path) ? path : join(cwd, path));
  });
}

/** How paths are written on the system of an absolute folder. */
export function pathsOf(folder: string): Pick<typeof posix, "isAbsolute" | "join"> {
  return isWindowsPath(folder) ? win32 : posix;
}

/** A path of Windows is written with either slash. */
function spellings(path: string): readonly string[] {
  return pathsOf(path) === win32 ? [path, path.replaceAll("\\", "/")] : [path];
}

/** Keys of the sessions that read or changed a file. */
export function sessionsThatTouched(
  reader: Reader,
  trees: readonly string[],
  file: string,
): ReadonlySet<number> {
  return new Set(touchesOf(reader, trees, file).map(({ session }) => session));
}

/** The path as an agent may write it that stands in the repository's top or in a folder below. */
function relativeForms(file: string): readonly string[] {
  const names = file.split(posix.sep);
  const forms = names.map((_, index) => names.slice(index).join("/"));
  return forms.flatMap((form) => {
    const windows = form.replaceAll("/", "\\");
    return [form, `./${form}`, ...(windows === form ? [] : [windows, `.\\${windows}`])];
  });
}

function marks(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
