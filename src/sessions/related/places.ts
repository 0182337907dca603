/** Which sessions worked in a repository, in whichever of its working trees or clones. */
import { PalliumError } from "../../lib/errors.ts";
import { originName } from "../../lib/origin-name.ts";
import { repositoryPlaces } from "../../platform/git/repository-places.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { pathsOf } from "./touched-files.ts";

/** A repository as sessions know it. */
export interface RepositoryTrees {
  /** The git directory that its working trees share; absolute, without links. */
  readonly commonDir: string;
  /** Absolute tops of its working trees; the one that was asked about first. */
  readonly trees: readonly string[];
  /** What names its origin, see `originName`; empty where it has none. */
  readonly origin: string;
}

/** @throws PalliumError `not_a_repository`. */
export async function repositoryTrees(folder: string): Promise<RepositoryTrees> {
  const repository = await repositoryAround(folder);
  if (repository === undefined) {
    throw new PalliumError("not_a_repository", `no git repository here: ${folder}`, {
      hints: ["run this inside a git working tree, or name one"],
    });
  }
  return repository;
}

/** `undefined` outside of any. */
export async function repositoryAround(folder: string): Promise<RepositoryTrees | undefined> {
  const places = await repositoryPlaces(folder);
  if (places === undefined) return undefined;
  const { commonDir, workingTrees: trees, originUrl } = places;
  return { commonDir, trees, origin: originName(originUrl) };
}

export interface PlacedSession {
  readonly key: number;
  readonly cwd: string;
  /** Top of the working tree that it worked in; empty or null where nobody knows. */
  readonly worktree: string | null;
  readonly updated_at: string;
  /** `same`: at the top of a working tree; `nested`: below it; `none`: somewhere else. */
  readonly cwdIs: "same" | "nested" | "none";
  readonly hasOrigin: boolean;
}

interface Row {
  readonly key: number;
  readonly cwd: string;
  readonly worktree: string | null;
  readonly repository: string | null;
  readonly origin: string | null;
  readonly updated_at: string;
}

const COLUMNS = "key, cwd, worktree, repository, origin, updated_at";

/** Each session once; where they worked is known from indexes alone. */
export function placedSessions(
  reader: Reader,
  { commonDir, trees, origin }: RepositoryTrees,
): readonly PlacedSession[] {
  const rows = new Map<number, Row>();
  const add = (found: readonly Row[]) => {
    for (const row of found) rows.set(row.key, row);
  };
  for (const tree of trees) {
    add(reader.all<Row>(`SELECT ${COLUMNS} FROM sessions WHERE cwd = ?`, tree));
    const [from, to] = below(tree);
    add(reader.all<Row>(`SELECT ${COLUMNS} FROM sessions WHERE cwd >= ? AND cwd < ?`, from, to));
  }
  add(
    reader.all<Row>(
      `SELECT ${COLUMNS} FROM sessions WHERE repository <> '' AND repository = ?`,
      commonDir,
    ),
  );
  if (origin !== "") {
    add(
      reader.all<Row>(`SELECT ${COLUMNS} FROM sessions WHERE origin <> '' AND origin = ?`, origin),
    );
  }
  const tops = new Set(trees);
  return [...rows.values()].flatMap((row) => {
    const isElsewhere = Boolean(row.repository) && row.repository !== commonDir;
    const cwdIs = isElsewhere ? "none" : cwdRelation(row, tops, commonDir);
    const hasOrigin = origin !== "" && row.origin === origin;
    if (cwdIs === "none" && !hasOrigin) return [];
    const { key, cwd, worktree, updated_at } = row;
    return [{ key, cwd, worktree, updated_at, cwdIs, hasOrigin }];
  });
}

/** Of a session that worked in no repository but this one, as far as is known. */
function cwdRelation(
  { cwd, worktree, repository }: Row,
  tops: ReadonlySet<string>,
  commonDir: string,
): PlacedSession["cwdIs"] {
  if (tops.has(cwd)) return "same";
  if (repository === commonDir) return cwd === worktree ? "same" : "nested";
  return [...tops].some((top) => cwd.startsWith(`${top}/`)) ? "nested" : "none";
}

/** Tops of working trees and clones, those of sessions that nobody looked at included. */
export function everyTree(
  { trees }: RepositoryTrees,
  placed: readonly PlacedSession[],
): readonly string[] {
  const tops = placed.flatMap(({ worktree, cwd, cwdIs }) => {
    if (worktree !== null && worktree !== "") return [worktree];
    return cwdIs === "none" && pathsOf(cwd).isAbsolute(cwd) ? [cwd] : [];
  });
  return [...new Set([...trees, ...tops])];
}

/** The range of texts in which all paths below a folder lie: `0` comes right after `/`. */
function below(folder: string): readonly [from: string, to: string] {
  const path = folder.replace(/\/+$/, "");
  return [`${path}/`, `${path}0`];
}
