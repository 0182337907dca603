/** Files by the paths that trees of git have, whose names may be any bytes. */
import { encodePath, isQuoted } from "../../lib/git-path.ts";

const SLASH = Buffer.from("/");

/** The absolute path of a file below `root`, in the form that file APIs take. */
export function pathBelow(root: string, path: string): string | Buffer {
  if (!isQuoted(path)) return root === "/" ? `/${path}` : `${root}/${path}`;
  return Buffer.concat([Buffer.from(root), SLASH, encodePath(path)]);
}
