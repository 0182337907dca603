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
  const sources = files.flatMap(({ path }, at) => (isSource(path) ? [at] : []));
  const peers = sources.length < FEWEST_PEERS ? [...files.keys()] : sources;
  const danger = new Float64Array(files.length);
  for (const { of, weight } of MEASURES) {
    const shares = sharesBelow(numbers(files, of), peers);
    shares.forEach((share, at) => {
      danger[at] = (danger[at] ?? 0) + weight * share;
    });
  }
  const shares = sharesBelow(danger, peers);
  const risk = numbers(files, (file, at) => {
    const rank = Math.floor(100 * (shares[at] ?? 0));
    // What kind of file it is, which takes long to tell, bounds none that is low.
    return rank < MEDIUM ? rank : Math.min(99, rank, mostFor(file));
  });
  const standings = STANDINGS.map(({ column, of }) => {
    const ranks = sharesBelow(numbers(files, of)).map((share) => Math.floor(100 * share));
    return { column, ranks };
  });
  writeRanks(tx, files, [{ column: "risk", ranks: risk }, ...standings]);
}

/** One column of all files, in their order. */
interface Ranks {
  readonly column: (typeof RANKS)[number];
  readonly ranks: Float64Array;
}

/** Few change from one commit to the next. */
function writeRanks(tx: Transaction, files: readonly RawFile[], columns: readonly Ranks[]): void {
  const assignments = columns.map(({ column }) => `${column} = ?`).join(", ");
  files.forEach((file, at) => {
    if (columns.every(({ column, ranks }) => file[column] === ranks[at])) return;
    const values = columns.map(({ ranks }) => ranks[at] ?? 0);
    tx.run(`UPDATE files SET ${assignments} WHERE id = ?`, ...values, file.id);
  });
}

function mostFor({ path, churn, heat }: RawFile): number {
  if (heat === 0 || churn < ENOUGH_FOR_MEDIUM) return MEDIUM - 1;
  if (isDocumentation(path) || LOCK_FILE.test(path)) return MEDIUM - 1;
  return churn < ENOUGH_FOR_HIGH || isTestFile(path) ? HIGH - 1 : 100;
}

/** A number of each file; ten times as fast as `Float64Array.from` with a function. */
function numbers(
  files: readonly RawFile[],
  of: (file: RawFile, at: number) => number,
): Float64Array {
  const values = new Float64Array(files.length);
  files.forEach((file, at) => {
    values[at] = of(file, at);
  });
  return values;
}

/** For each value the share of those at some places, or of all, that are below it, 0 to 1. */
function sharesBelow(values: Float64Array, places?: readonly number[]): Float64Array {
  const sorted = places === undefined ? values.slice() : valuesAt(values, places);
  sorted.sort();
  const most = sorted.length || 1;
  return values.map((value) => countBelow(sorted, value) / most);
}

function valuesAt(values: Float64Array, places: readonly number[]): Float64Array {
  return Float64Array.from(places.map((at) => values[at] ?? 0));
}

function countBelow(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
