/** Opens a repository for one command, and what belongs to it. */
import { resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { nearMatch } from "../lib/near-match.ts";
import { nameOf } from "../lib/slash-path.ts";
import { isDirectory, isFile } from "../platform/files.ts";
import { type RepoView, repoView } from "./analysis/view.ts";
import { type CurrentFiles, currentFiles } from "./files/current-files.ts";
import { findFile, presentName, riskiestFiles } from "./history/queries.ts";
import { assertIndexed, type OpenRepository, openRepository } from "./open-repository.ts";
import { pathFrom, pathUnknown, repositoryPath } from "./paths.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import type { RepoRequest } from "./requests.ts";

export interface RepoSession {
  readonly open: OpenRepository;
  readonly view: RepoView;
  /**
   * The path of a file that the user typed.
   * @throws PalliumError `path_required`, `path_outside`, `path_is_folder`, `path_unknown`.
   */
  file(typed: string): Promise<string>;
}

/** The folder that a request is about. */
export function folderOfRequest({ environment }: RepoPowers, { repo }: RepoRequest): string {
  return resolve(environment.cwd, repo ?? ".");
}

/** @throws PalliumError those of `openRepository`; `not_indexed` unless `needsIndex` is false. */
export async function withRepository<T>(
  powers: RepoPowers,
  request: RepoRequest,
  { notice }: RepoObserver,
  work: (session: RepoSession) => Promise<T>,
  needsIndex = true,
): Promise<T> {
  using open = await openRepository(powers, folderOfRequest(powers, request), notice);
  if (needsIndex) assertIndexed(open);
  const { repository, working, index, indexed, now } = open;
  const files = await currentFiles(index, indexed, repository.root, working.changes);
  const view = repoView({ index, files, now });
  return await work({ open, view, file: (typed) => fileOf(powers, request, open, files, typed) });
}

async function fileOf(
  powers: RepoPowers,
  request: RepoRequest,
  { repository, index, now }: OpenRepository,
  files: CurrentFiles,
  typed: string,
): Promise<string> {
  const { root } = repository;
  const onDisk = (path: string) => resolve(root, path);
  const isKnown = async (path: string) =>
    files.paths.has(path) ||
    findFile(index, path, now) !== undefined ||
    (await isFile(onDisk(path))) ||
    (await isDirectory(onDisk(path)));
  const cwd = standingPlace(powers.environment.cwd, root, folderOfRequest(powers, request));
  const path = await repositoryPath(typed, { root, cwd, exists: isKnown });
  if (files.paths.has(path)) return path;
  if (await isDirectory(onDisk(path))) throw folderError(path, index, files);
  if (await isKnown(path)) return path;
  throw unknownPath(path, index, files);
}

/** Where the user stands, if that is inside the repository; else the folder that was named. */
function standingPlace(cwd: string, root: string, named: string): string {
  return pathFrom(root, cwd) === undefined ? named : cwd;
}

const MOST_NAMED = 3;

function folderError(folder: string, index: RepoView["index"], files: CurrentFiles): PalliumError {
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

function unknownPath(path: string, index: RepoView["index"], files: CurrentFiles): PalliumError {
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
