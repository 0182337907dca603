/**
 * How one text becomes another, line by line, after Myers, "An O(ND) Difference Algorithm and Its
 * Variations" (1986): as few lines as possible are taken out and put in.
 */

export interface DiffLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/** Lines that changed, with some around them. Numbers of lines begin at 1. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly DiffLine[];
}

/** Texts further apart are said to have nothing in common but their beginning and their end. */
const MOST_EDITS = 1000;

/** The lines of both texts in the order of a patch. A newline at the end makes no line of its own. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(0, start).map(context),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(context),
  ];
}

/** @param around lines that did not change and are kept on either side of those that did. */
export function hunksOf(lines: readonly DiffLine[], around: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let from = 0;
  let [oldLine, newLine] = [1, 1];
  while (from < lines.length) {
    const { first, end } = nextHunk(lines, from, around);
    if (first === undefined) break;
    const skipped = first - from;
    const shown = lines.slice(first, end);
    const oldCount = shown.filter(({ kind }) => kind !== "added").length;
    const newCount = shown.filter(({ kind }) => kind !== "removed").length;
    oldLine += skipped;
    newLine += skipped;
    hunks.push({ oldStart: oldLine, oldCount, newStart: newLine, newCount, lines: shown });
    oldLine += oldCount;
    newLine += newCount;
    from = end;
  }
  return hunks;
}

/** The lines of the next one, `end` not among them; changes that are near to each other share one. */
function nextHunk(
  lines: readonly DiffLine[],
  from: number,
  around: number,
): { readonly first?: number; readonly end: number } {
  const changed = lines.findIndex(({ kind }, at) => at >= from && kind !== "context");
  if (changed === -1) return { end: lines.length };
  let last = changed;
  for (let at = changed; at < lines.length && at <= last + 2 * around + 1; at++) {
    if (lines[at]?.kind !== "context") last = at;
  }
  return {
    first: Math.max(from, changed - around),
    end: Math.min(lines.length, last + around + 1),
  };
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function context(text: string): DiffLine {
  return { kind: "context", text };
}

function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const steps = shortestEdit(old, now);
  if (steps !== undefined) return steps;
  return [
    ...old.map((text): DiffLine => ({ kind: "removed", text })),
    ...now.map((text): DiffLine => ({ kind: "added", text })),
  ];
}

/** `undefined` where it takes more edits than are looked for. */
function shortestEdit(
  old: readonly string[],
  now: readonly string[],
): readonly DiffLine[] | undefined {
  if (fewestEdits(old, now) > MOST_EDITS) return undefined;
  const most = Math.min(old.length + now.length, MOST_EDITS);
  /** How far into `old` one comes on each diagonal; diagonal 0 is in the middle. */
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice(most + 1 - edits - 1, most + 1 + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [below, above] = [reach[at - 1] ?? 0, reach[at + 1] ?? 0];
      let x = isDown(diagonal, edits, below, above) ? above : below + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      reach[at] = x;
      if (x >= old.length && x - diagonal >= now.length) return walkBack(old, now, trace);
    }
  }
  return undefined;
}

/** No fewer can do, wherever the lines stand that both have. */
function fewestEdits(old: readonly string[], now: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of now) {
    const left = counts.get(line) ?? 0;
    if (left > 0) common += 1;
    counts.set(line, left - 1);
  }
  return old.length + now.length - 2 * common;
}

/** Whether the step to a diagonal puts a line in, rather than takes one out. */
function isDown(diagonal: number, edits: number, below: number, above: number): boolean {
  return diagonal === -edits || (diagonal !== edits && below < above);
}

function walkBack(
  old: readonly string[],
  now: readonly string[],
  trace: readonly Int32Array[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] ?? new Int32Array();
    const diagonal = x - y;
    const at = edits + 1 + diagonal;
    const [below, above] = [reach[at - 1] ?? 0, reach[at + 1] ?? 0];
    const down = isDown(diagonal, edits, below, above);
    const fromX = edits === 0 ? 0 : down ? above : below;
    const fromY = edits === 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
    for (; x > fromX && y > fromY; x--, y--) lines.push(context(old[x - 1] ?? ""));
    if (edits === 0) break;
    const text = (down ? now[y - 1] : old[x - 1]) ?? "";
    lines.push({ kind: down ? "added" : "removed", text });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}
