/** What a user typed as a path, turned into a path of the repository. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { isQuoted } from "../lib/git-path.ts";
import { nearMatch } from "../lib/near-match.ts";
import { nameOf } from "../lib/slash-path.ts";
import { isDirectory, isFile, realPathOfParent } from "../platform/files.ts";
import type { RepoView } from "./analysis/view.ts";
import { findFile, presentName, riskiestFiles } from "./history/queries.ts";

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

/** Where and of what a user names a file. */
export interface FilePlace extends Pick<PathPlace, "root" | "cwd"> {
  readonly view: RepoView;
}

/**
 * The path of a file that somebody typed, which is there or has a history.
 * @throws PalliumError `path_required`, `path_outside`, `path_is_folder`, `path_unknown`.
 */
export async function fileOf(typed: string, { root, cwd, view }: FilePlace): Promise<string> {
  const { index, files, now } = view;
  const onDisk = (path: string) => resolve(root, path);
  const isKnown = async (path: string) =>
    files.paths.has(path) ||
    findFile(index, path, now) !== undefined ||
    (await isFile(onDisk(path))) ||
    (await isDirectory(onDisk(path)));
  const path = await repositoryPath(typed, { root, cwd, exists: isKnown });
  if (files.paths.has(path)) return path;
  if (await isDirectory(onDisk(path))) throw folderError(path, view);
  if (await isKnown(path)) return path;
  throw unknownPath(path, view);
}

const MOST_NAMED = 3;

function folderError(folder: string, { index, files }: RepoView): PalliumError {
  const prefix = folder === "." ? "" : `${folder}/`;
  const riskiest = riskiestFiles(index, prefix, MOST_NAMED).filter((path) => files.paths.has(path));
  const hint =
    riskiest.length === 0
      ? "name a file"
      : `name a file; the riskiest there: ${riskiest.join(", ")}`;
  return new PalliumError("path_is_folder", `is a folder, not a file: ${folder}`, {
    hints: [hint],
  });
}

function unknownPath(path: string, { index, files }: RepoView): PalliumError {
  const now = presentName(index, path);
  if (now !== undefined) {
    return new PalliumError("path_unknown", `the file has another name now: ${path}`, {
      hints: [`it is ${now}`],
    });
  }
  const name = nameOf(path);
  const sameName = [...files.paths].filter((known) => known.endsWith(`/${name}`));
  const near = sameName.length > 0 ? sameName.slice(0, MOST_NAMED) : [nearMatch(path, files.paths)];
  const named = near.filter((known) => known !== undefined);
  return pathUnknown(path, named.length > 0 ? `did you mean ${named.join(", ")}?` : undefined);
}
