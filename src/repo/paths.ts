/** What a user typed as a path, turned into a path of the repository. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { isQuoted } from "../lib/git-path.ts";
import { realPathOfParent } from "../platform/files.ts";

export interface PathPlace {
  /** Absolute top of the working tree, without links. */
  readonly root: string;
  /** Absolute directory in which the user stands. */
  readonly cwd: string;
  /** Whether the repository knows, or the disk has, a file or folder of this name. */
  exists(path: string): Promise<boolean>;
}

/**
 * The path relative to the repository, with `/`, that somebody in `cwd` means: relative to where they
 * stand, or else to the top of the working tree; absolute ones too, through whatever links. The top
 * itself is `.`.
 * @throws PalliumError `path_required`, `path_outside`.
 */
export async function repositoryPath(typed: string, place: PathPlace): Promise<string> {
  const text = typed.trim() === "" ? "" : typed;
  if (text === "") {
    throw new PalliumError("path_required", "path is required", {
      hints: ["name a file of the repository"],
    });
  }
  if (isQuoted(text)) return text;
  const absolute = isAbsolute(text) ? text : join(await realPathOfParent(place.cwd), text);
  const fromHere = await inside(absolute, place.root);
  if (isAbsolute(text)) return fromHere ?? refuse(text);
  if (fromHere !== undefined && (await place.exists(fromHere))) return fromHere;
  const fromTop = await inside(join(place.root, text), place.root);
  if (fromTop !== undefined && (await place.exists(fromTop))) return fromTop;
  return fromHere ?? fromTop ?? refuse(text);
}

async function inside(absolute: string, root: string): Promise<string | undefined> {
  const path = pathFrom(root, await realPathOfParent(resolve(absolute)));
  return path === "" ? "." : path;
}

/** An absolute path as seen from a folder that holds it, empty for that itself; else `undefined`. */
export function pathFrom(root: string, absolute: string): string | undefined {
  const path = relative(root, absolute);
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return path.split(sep).join("/");
}

function refuse(path: string): never {
  throw new PalliumError("path_outside", `the path is outside of the repository: ${path}`, {
    hints: ["name a file of the repository, from where you stand or from its top"],
  });
}

/** That nobody knows a file of this name; `hint` says what is near, if anything is. */
export function pathUnknown(path: string, hint?: string): PalliumError {
  return new PalliumError("path_unknown", `there is no such file, nor was there one: ${path}`, {
    hints: [hint ?? "paths count from where you stand, or from the top of the repository"],
  });
}
