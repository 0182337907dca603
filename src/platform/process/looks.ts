import { MARKER_VARIABLE } from "./marker.ts";
import type { ProcessRow } from "./process-row.ts";
import { processTable } from "./table.ts";

/** After a look, nobody looks for so many times as long as it took: all else stands still meanwhile. */
const REST = 2;

export interface LivingProcess extends ProcessRow {
  /** What it was started with as its marker; more than one where its environment holds several. */
  readonly markers: readonly string[];
}

/**
 * All living processes but this one, as they are at some moment after the asking. Whoever asks before
 * that moment shares the look.
 */
export type Looks = () => Promise<readonly LivingProcess[]>;

/** For endings that come at the same time: a look at all processes costs as much as there are. */
export function createLooks(): Looks {
  let next: ReturnType<Looks> | undefined;
  let restsUntil = 0;
  async function look(): ReturnType<Looks> {
    await Bun.sleep(Math.max(1, restsUntil - performance.now()));
    next = undefined;
    const begun = performance.now();
    const found = livingProcesses();
    const ended = performance.now();
    restsUntil = ended + REST * (ended - begun);
    return found;
  }
  return () => {
    next ??= look();
    return next;
  };
}

function livingProcesses(): readonly LivingProcess[] {
  const startedWith = processTable.startedWith(MARKER_VARIABLE);
  const markers = new Map<number, readonly string[]>();
  // Read at its turn: one that ends before it is read is succeeded by a child that is listed later.
  const rows = processTable.find((row) => {
    if (!row.alive || row.pid === process.pid) return false;
    markers.set(row.pid, startedWith(row.pid));
    return true;
  });
  return rows.map((row) => ({ ...row, markers: markers.get(row.pid) ?? [] }));
}
