/** Ranks the files of a repository by how likely an edit breaks something. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { isDocumentation } from "../verification/documentation.ts";
import { HIGH, MEDIUM } from "./risk.ts";
import { isSource } from "./source-files.ts";
import { isTestFile } from "./test-files.ts";

interface RawFile {
  readonly id: number;
  readonly path: string;
  readonly lines: number;
  readonly churn: number;
  readonly heat: number;
  readonly fix_heat: number;
  readonly author_count: number;
  readonly risk: number;
  readonly less_heat: number;
  readonly less_fix_heat: number;
  readonly less_lines: number;
  readonly less_authors: number;
}

const STANDINGS = [
  { column: "less_heat", of: ({ heat }: RawFile) => heat },
  { column: "less_fix_heat", of: ({ fix_heat }: RawFile) => fix_heat },
  { column: "less_lines", of: ({ lines }: RawFile) => lines },
  { column: "less_authors", of: ({ author_count }: RawFile) => author_count },
] as const;

/** The columns of a file that say where it stands among the files of the commit. */
export const RANKS = ["risk", ...STANDINGS.map(({ column }) => column)] as const;

interface Measure {
  readonly of: (file: RawFile) => number;
  readonly weight: number;
}

/** How much each counts; set by measuring, see docs/evaluation.md. */
const MEASURES: readonly Measure[] = [
  { of: ({ heat }) => heat, weight: 0.5 },
  { of: ({ fix_heat }) => fix_heat, weight: 0.1 },
  { of: ({ lines }) => lines, weight: 0.4 },
];
/** So many commits are needed to say more than low, or more than medium. */
const ENOUGH_FOR_MEDIUM = 3;
const ENOUGH_FOR_HIGH = 6;
/** Written by package managers. */
const LOCK_FILE =
  /(?:^|\/)(?:[^/]+\.lockb?|package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum)$/;
/** Fewer sources are too few to compare with. */
const FEWEST_PEERS = 10;

/**
 * Sets the risk of every file of the indexed commit: the per cent of the repository's sources that
 * are less risky, 0 to 99. Where a file stands among the sources by its touches, by those that fixed
 * something, and by its lines is added up. Touches count the less the older they are; those of bulk
 * commits do not count. A file that few commits touched is not called risky, whatever its place; nor
 * are documents and lock files; a test is never called more than medium.
 */
export function rankRisk(tx: Transaction): void {
  const files = tx.all<RawFile>(
    `SELECT id, path, lines, churn, heat, fix_heat, author_count, risk,
       ${STANDINGS.map(({ column }) => column).join(", ")} FROM files WHERE blob IS NOT NULL`,
  );
  const sources = files.filter(({ path }) => isSource(path));
  const peers = sources.length < FEWEST_PEERS ? files : sources;
  const places = MEASURES.map(({ of, weight }) => ({ of, weight, place: placer(peers.map(of)) }));
  const dangers = new Map(
    files.map((file) => [
      file.id,
      places.reduce((sum, { of, weight, place }) => sum + weight * place(of(file)), 0),
    ]),
  );
  const danger = ({ id }: RawFile) => dangers.get(id) ?? 0;
  const place = placer(peers.map(danger));
  const risk = (file: RawFile) => {
    const rank = Math.floor(100 * place(danger(file)));
    // What kind of file it is, which takes long to tell, bounds none that is low.
    return rank < MEDIUM ? rank : Math.min(99, rank, mostFor(file));
  };
  writeRanks(tx, files, [{ column: "risk", rank: risk }, ...standings(files)]);
}

/** For the reasons that are given: where each file stands among all of them, in whole per cent. */
function standings(files: readonly RawFile[]): readonly Rank[] {
  return STANDINGS.map(({ column, of }) => {
    const place = placer(files.map(of));
    return { column, rank: (file) => Math.floor(100 * place(of(file))) };
  });
}

interface Rank {
  readonly column: (typeof RANKS)[number];
  readonly rank: (file: RawFile) => number;
}

/** Few change from one commit to the next. */
function writeRanks(tx: Transaction, files: readonly RawFile[], ranks: readonly Rank[]): void {
  const columns = ranks.map(({ column }) => `${column} = ?`).join(", ");
  for (const file of files) {
    const values = ranks.map(({ rank }) => rank(file));
    if (ranks.every(({ column }, at) => file[column] === values[at])) continue;
    tx.run(`UPDATE files SET ${columns} WHERE id = ?`, ...values, file.id);
  }
}

function mostFor({ path, churn, heat }: RawFile): number {
  if (heat === 0 || churn < ENOUGH_FOR_MEDIUM) return MEDIUM - 1;
  if (isDocumentation(path) || LOCK_FILE.test(path)) return MEDIUM - 1;
  return churn < ENOUGH_FOR_HIGH || isTestFile(path) ? HIGH - 1 : 100;
}

/** @returns a function that gives the share of values that are below one, 0 to 1. */
function placer(values: readonly number[]): (value: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (value) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return sorted.length === 0 ? 0 : low / sorted.length;
  };
}
