/** What an edit of a file may reach: each kind of connection has its share. */
import { byText } from "../../lib/by-text.ts";
import type { LinkRow } from "../history/queries.ts";
import { isDocumentation } from "../verification/documentation.ts";
import type { Related } from "./related.ts";
import { isUsualPartner } from "./usual-partners.ts";

export interface Reach {
  /** By likelihood to change with the file. */
  readonly related: readonly Related[];
  readonly usedBy: readonly LinkRow[];
  readonly uses: readonly LinkRow[];
  /** The most telling first. */
  readonly tests: readonly string[];
}

/** A file seen together once may have been there by chance. */
const LEAST_TOGETHER = 2;

/** Files that history saw change together with one more than once, the likeliest first. */
export function partnersOf(related: readonly Related[]): readonly Related[] {
  return related.filter(({ cochange_count }) => cochange_count >= LEAST_TOGETHER);
}

/**
 * Takes turns between what uses the file, what changes with it, its tests and what it uses, each in
 * its own order, so that no kind crowds the others out. Documents count where they nearly always
 * change with it.
 */
export function blastRadius(path: string, reach: Reach, limit: number): readonly string[] {
  const order = new Map(reach.related.map((one, place) => [one.path, place]));
  const likeliest = (links: readonly LinkRow[]) =>
    links
      .filter(({ kind }) => kind !== "package")
      .map((link) => link.path)
      .sort((a, b) => placeOf(order, a) - placeOf(order, b) || byText(a, b));
  const kinds = [
    likeliest(reach.usedBy),
    partnersOf(reach.related)
      .filter((one) => isUsualPartner(one) || !isDocumentation(one.path))
      .map((one) => one.path),
    reach.tests,
    likeliest(reach.uses),
  ];
  const found = new Set<string>();
  const longest = Math.max(...kinds.map((kind) => kind.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const kind of kinds) {
      const next = kind[turn];
      if (next !== undefined && next !== path) found.add(next);
    }
  }
  return [...found].slice(0, limit);
}

function placeOf(order: ReadonlyMap<string, number>, path: string): number {
  return order.get(path) ?? order.size;
}
