/** A patch in two columns: what was on the left, what is on the right. */
import type { ByteLine } from "../../../lib/byte-lines.ts";
import {
  type LineRange,
  type PatchedFile,
  type PatchPart,
  patchParts,
} from "../../../lib/patch-parts.ts";
import type { Format } from "../../colours.ts";
import { cellWidth, withoutTabs, wrapCells } from "../cells.ts";
import { fileChange, fileName } from "./file-title.ts";
import { shownLine } from "./shown-line.ts";
import { BINARY_TEXT, hunkLine, MOST_OF_LINE, type Paint, painter } from "./unified.ts";

export interface SideBySideOptions {
  /** Characters in a line of the terminal. */
  readonly columns: number;
  readonly colours: boolean;
}

/** With less, there is no room for two columns. */
export const LEAST_COLUMNS = 40;

const BETWEEN = " │ ";
/** Of a line so many characters are shown. */
const MOST_CHARACTERS = 2000;
/** So many lines, and bytes of them, wait for those that took their place. */
const MOST_WAITING = 10_000;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const FEWEST_DIGITS = 4;

/** A line of one side. */
interface Side {
  readonly number: number;
  readonly line: ByteLine;
  readonly isChanged: boolean;
  /** Whether it lacks a newline in the file. */
  isUnended: boolean;
}

/** Lines with their ends, none wider than the terminal. */
export async function* sideBySideLines(
  patch: AsyncIterable<Uint8Array>,
  options: SideBySideOptions,
): AsyncGenerator<string> {
  const layout = createLayout(options);
  for await (const parts of patchParts(patch, MOST_OF_LINE)) {
    for (const part of parts) yield* layout.take(part);
  }
  yield* layout.end();
}

function createLayout({ columns, colours }: SideBySideOptions) {
  const paint = painter(colours);
  const numbers = { old: 0, new: 0 };
  let waiting: { readonly old: Side[]; readonly new: Side[] } = { old: [], new: [] };
  let waitingBytes = 0;
  let hasFiles = false;
  let last: readonly Side[] = [];
  let digits = FEWEST_DIGITS;

  function* flush(): Generator<string> {
    const { old: olds, new: news } = waiting;
    waiting = { old: [], new: [] };
    waitingBytes = 0;
    last = [];
    const width = Math.floor((columns - BETWEEN.length) / 2) - digits - 2;
    yield* pairLines(olds, news, { digits, width, paint });
  }

  function side(which: "old" | "new", line: ByteLine, isChanged: boolean): Side {
    const added = { number: numbers[which]++, line, isChanged, isUnended: false };
    waiting[which].push(added);
    waitingBytes += line.bytes.length + line.omitted;
    return added;
  }

  function* takeLine(
    kind: "context" | "added" | "removed" | "remark",
    line: ByteLine,
  ): Generator<string> {
    const { old: olds, new: news } = waiting;
    if (kind === "remark") for (const one of last) one.isUnended = true;
    else if (kind === "context") {
      yield* flush();
      last = [side("old", line, false), side("new", line, false)];
    } else {
      const isOther = kind === "removed" ? news.length > 0 : last[0]?.isChanged === false;
      const isFull = olds.length + news.length >= MOST_WAITING || waitingBytes > MOST_WAITING_BYTES;
      if (isOther || isFull) yield* flush();
      last = [kind === "removed" ? side("old", line, true) : side("new", line, true)];
    }
  }

  function* takeHunk(line: ByteLine, old: LineRange, now: LineRange): Generator<string> {
    yield* flush();
    numbers.old = old.start;
    numbers.new = now.start;
    const highest = Math.max(old.start + old.count, now.start + now.count);
    digits = Math.max(FEWEST_DIGITS, String(highest).length);
    yield `${hunkLine(line, paint, columns)}\n`;
  }

  return {
    *take(part: PatchPart): Generator<string> {
      if (part.kind === "hunk") yield* takeHunk(part.line, part.old, part.new);
      else if (part.kind === "file") {
        yield* flush();
        if (hasFiles) yield "\n";
        hasFiles = true;
        yield* titleLines(part.file, columns, paint);
      } else if (part.kind !== "binary") yield* takeLine(part.kind, part.line);
    },
    end: flush,
  };
}

function* titleLines(file: PatchedFile, columns: number, paint: Paint): Generator<string> {
  for (const row of wrapCells(`── ${fileName(file)} (${fileChange(file)})`, columns)) {
    yield `${paint("bold", row)}\n`;
  }
  if (file.binary) yield `${paint("dim", BINARY_TEXT)}\n`;
}

interface Cell {
  readonly number: string;
  readonly mark: string;
  readonly text: string;
  readonly format?: Format;
}

function cellOf(side: Side | undefined, mark: "-" | "+"): Cell {
  if (side === undefined) return { number: "", mark: "", text: "" };
  const { number, line, isChanged, isUnended } = side;
  const shown = shownLine(line, 1);
  const text = withoutTabs(shown.text);
  const rest = text.length - MOST_CHARACTERS + shown.omitted;
  return {
    number: String(number),
    mark: isChanged ? mark : " ",
    text: [
      text.slice(0, MOST_CHARACTERS).toWellFormed(),
      shown.hasReturn && isChanged ? "\\r" : "",
      rest > 0 ? ` … ${rest.toLocaleString("en")} more` : "",
      isUnended ? " (no newline)" : "",
    ].join(""),
    ...(isChanged ? { format: mark === "-" ? "red" : "green" } : {}),
  };
}

interface RowOptions {
  readonly digits: number;
  /** Columns of a text. */
  readonly width: number;
  readonly paint: Paint;
}

function* pairLines(
  olds: readonly Side[],
  news: readonly Side[],
  options: RowOptions,
): Generator<string> {
  for (let at = 0; at < Math.max(olds.length, news.length); at++) {
    yield* rowLines(cellOf(olds[at], "-"), cellOf(news[at], "+"), options);
  }
}

function* rowLines(
  left: Cell,
  right: Cell,
  { digits, width, paint }: RowOptions,
): Generator<string> {
  const [lefts, rights] = [wrapCells(left.text, width), wrapCells(right.text, width)];
  const between = paint("dim", BETWEEN);
  const half = ({ number, mark, format }: Cell, row: string | undefined, isFirst: boolean) => {
    if (row === undefined || (row === "" && number === "")) return " ".repeat(digits + 2);
    const head = paint("dim", (isFirst ? number : "").padStart(digits));
    return `${head} ${paint(format, (isFirst ? mark : " ") + row)}`;
  };
  for (let at = 0; at < Math.max(lefts.length, rights.length); at++) {
    const row = lefts[at];
    const room = " ".repeat(Math.max(0, width - cellWidth(row ?? "")));
    const line = `${half(left, row, at === 0)}${room}${between}${half(right, rights[at], at === 0)}`;
    yield `${line.trimEnd()}\n`;
  }
}
