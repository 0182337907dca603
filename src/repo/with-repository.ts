/** Opens a repository for one command, and what belongs to it. */
import { resolve } from "node:path";
import { type RepoView, repoView } from "./analysis/view.ts";
import { currentFiles } from "./files/current-files.ts";
import type { Repository } from "./identity.ts";
import {
  assertIndexed,
  type OpenedIndex,
  type OpenRepository,
  openRepository,
} from "./open-repository.ts";
import { fileOf, pathFrom } from "./paths.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import type { RepoRequest } from "./requests.ts";
import type { WorkingChange } from "./working-tree.ts";

/** A repository as it is in the index, which need not be as it is now. */
export interface EarlySession {
  readonly repository: Repository;
  readonly view: RepoView;
  /**
   * The path of a file that the user typed.
   * @throws PalliumError `path_required`, `path_outside`, `path_is_folder`, `path_unknown`.
   */
  file(typed: string): Promise<string>;
}

export interface RepoSession extends Omit<EarlySession, "repository"> {
  readonly open: OpenRepository;
}

export interface EarlyWork<Early> {
  /**
   * Reads what it can while git still looks at the working tree: on the files of the commit that the
   * index is of. What it finds, or throws, only counts where they turn out to be the files there are.
   */
  readonly begin: (session: EarlySession) => Promise<Early>;
  /** Whether what it finds holds whatever is not committed. */
  readonly ofHistory?: boolean;
}

export interface RepoOptions<Early> {
  /** True without. */
  readonly needsIndex?: boolean;
  readonly early?: EarlyWork<Early>;
}

/** The folder that a request is about. */
export function folderOfRequest({ environment }: RepoPowers, { repo }: RepoRequest): string {
  return resolve(environment.cwd, repo ?? ".");
}

/**
 * @param work is handed what was found early, where that counts.
 * @throws PalliumError those of `openRepository`; `not_indexed` unless `needsIndex` is false.
 */
export async function withRepository<T, Early = never>(
  powers: RepoPowers,
  request: RepoRequest,
  { notice }: RepoObserver,
  work: (session: RepoSession, early: Early | undefined) => Promise<T>,
  { needsIndex = true, early }: RepoOptions<Early> = {},
): Promise<T> {
  const begin = async (opened: OpenedIndex) => {
    const session = await sessionOf(powers, request, opened, []);
    return { session, found: await early?.begin(session) };
  };
  const folder = folderOfRequest(powers, request);
  using open = await openRepository(powers, folder, notice, early && begin);
  if (needsIndex) assertIndexed(open);
  const { begun, working } = open;
  const isAsIndexed = working.changes.length === 0;
  const counts = isAsIndexed || early?.ofHistory === true;
  if (begun?.status === "rejected" && counts) throw begun.reason;
  const known = begun?.status === "fulfilled" && counts ? begun.value : undefined;
  const { view, file } =
    known !== undefined && isAsIndexed
      ? known.session
      : await sessionOf(powers, request, open, working.changes);
  return await work({ open, view, file }, known?.found);
}

async function sessionOf(
  powers: RepoPowers,
  request: RepoRequest,
  { repository, index, indexed, now }: OpenedIndex,
  changes: readonly WorkingChange[],
): Promise<EarlySession> {
  const files = await currentFiles(index, indexed, repository.root, changes);
  const view = repoView({ index, files, now });
  const { root } = repository;
  const cwd = standingPlace(powers.environment.cwd, root, folderOfRequest(powers, request));
  return { repository, view, file: (typed) => fileOf(typed, { root, cwd, view }) };
}

/** Where the user stands, if that is inside the repository; else the folder that was named. */
function standingPlace(cwd: string, root: string, named: string): string {
  return pathFrom(root, cwd) === undefined ? named : cwd;
}
