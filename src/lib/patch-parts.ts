/** Takes patches apart as git writes them between two trees: files, hunks, lines. */
import { type ByteLine, byteLines } from "./byte-lines.ts";
import { decodePath, encodePath } from "./git-path.ts";

export const FILE_CHANGES = ["added", "modified", "deleted", "renamed"] as const;

export interface PatchedFile {
  /** After the change; as `lib/git-path` writes it. */
  readonly path: string;
  /** Before the change, where that was another. */
  readonly old_path?: string;
  /** A link that took the place of a file, or the other way round, is two: deleted, then added. */
  readonly change: (typeof FILE_CHANGES)[number];
  /** Absent of a file that is new. */
  readonly old_mode?: string;
  /** Absent of a file that is gone. */
  readonly new_mode?: string;
  readonly binary: boolean;
}

/** Lines from `start` on, from 1; none where `count` is 0. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** Lines are without newlines, and whole but for what they say they leave out. */
export type PatchPart =
  | { readonly kind: "file"; readonly file: PatchedFile; readonly header: readonly ByteLine[] }
  | {
      readonly kind: "hunk";
      readonly line: ByteLine;
      readonly old: LineRange;
      readonly new: LineRange;
    }
  /** With their first character; a remark says that the line before it has no newline. */
  | { readonly kind: "context" | "added" | "removed" | "remark"; readonly line: ByteLine }
  /** Of a binary file. */
  | { readonly kind: "binary"; readonly line: ByteLine };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Longer than the beginning of any hunk. */
const HUNK_LENGTH = 100;
const BEGINS = Buffer.from("diff --git ");
const BINARY = /^(GIT binary patch$|Binary files )/;
const [PLUS, MINUS, BACKSLASH, QUOTE] = ["+", "-", "\\", '"'].map((one) => one.charCodeAt(0));

/**
 * The parts of a patch, as many at a time as have come.
 * @param mostBytes of a line that are kept.
 */
export async function* patchParts(
  patch: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<readonly PatchPart[]> {
  const reader = createReader();
  for await (const lines of byteLines(patch, mostBytes)) {
    for (const line of lines) reader.take(line);
    const parts = reader.parts();
    if (parts.length > 0) yield parts;
  }
  reader.end();
  const rest = reader.parts();
  if (rest.length > 0) yield rest;
}

function createReader() {
  let parts: PatchPart[] = [];
  let header: ByteLine[] = [];
  let state: "header" | "hunks" | "binary" = "hunks";
  const left = { old: 0, new: 0 };

  function finishHeader(next: "hunks" | "binary"): void {
    if (state === "header") parts.push({ kind: "file", file: fileOf(header), header });
    header = [];
    state = next;
  }

  function takeHunkLine(line: ByteLine): void {
    const mark = line.bytes[0];
    if (mark !== PLUS) left.old -= 1;
    if (mark !== MINUS) left.new -= 1;
    const kind = mark === PLUS ? "added" : mark === MINUS ? "removed" : "context";
    parts.push({ kind, line });
  }

  function takeHunk(line: ByteLine): boolean {
    const match = HUNK.exec(line.bytes.toString("latin1", 0, HUNK_LENGTH));
    if (match === null) return false;
    const range = (start = "", count = "1") => ({ start: Number(start), count: Number(count) });
    const [oldRange, newRange] = [range(match[1], match[2]), range(match[3], match[4])];
    left.old = oldRange.count;
    left.new = newRange.count;
    finishHeader("hunks");
    parts.push({ kind: "hunk", line, old: oldRange, new: newRange });
    return true;
  }

  return {
    take(line: ByteLine): void {
      const { bytes } = line;
      if (bytes[0] === BACKSLASH && state === "hunks") parts.push({ kind: "remark", line });
      else if (left.old > 0 || left.new > 0) takeHunkLine(line);
      else if (bytes.subarray(0, BEGINS.length).equals(BEGINS)) {
        finishHeader("hunks");
        header = [line];
        state = "header";
      } else if (state === "header") {
        if (takeHunk(line)) return;
        header.push(line);
        if (BINARY.test(bytes.toString("latin1", 0, HUNK_LENGTH))) finishHeader("binary");
      } else if (state === "binary") parts.push({ kind: "binary", line });
      else takeHunk(line);
    },
    end: () => finishHeader("hunks"),
    parts(): readonly PatchPart[] {
      const taken = parts;
      parts = [];
      return taken;
    },
  };
}

function fileOf(header: readonly ByteLine[]): PatchedFile {
  const [names, ...lines] = header.map(({ bytes }) => bytes);
  const field = (name: string) => {
    const line = lines.find((bytes) => bytes.toString("latin1", 0, name.length) === name);
    return line?.subarray(name.length);
  };
  const text = (name: string) => field(name)?.toString("latin1");
  const [from, to] = [field("rename from "), field("rename to ")];
  const mode = text("index ")?.split(" ")[1];
  const oldMode = text("old mode ") ?? text("deleted file mode ") ?? mode;
  const newMode = text("new mode ") ?? text("new file mode ") ?? mode;
  const isNew = field("new file mode ") !== undefined;
  const isGone = field("deleted file mode ") !== undefined;
  return {
    path: to === undefined ? secondName(names) : pathOf(to),
    ...(from === undefined ? {} : { old_path: pathOf(from) }),
    change: isNew ? "added" : isGone ? "deleted" : to === undefined ? "modified" : "renamed",
    ...(isNew || oldMode === undefined ? {} : { old_mode: oldMode }),
    ...(isGone || newMode === undefined ? {} : { new_mode: newMode }),
    binary: lines.some((bytes) => BINARY.test(bytes.toString("latin1", 0, HUNK_LENGTH))),
  };
}

/** Both names are as long as each other, but for a rename, which names them apart. */
function secondName(line: Buffer = Buffer.alloc(0)): string {
  const names = line.subarray(BEGINS.length);
  const name = names.subarray((names.length + 1) / 2);
  const start = name[0] === QUOTE ? 1 : 0;
  const path = Buffer.concat([name.subarray(0, start), name.subarray(start + "b/".length)]);
  return pathOf(path);
}

/** A name as git has it in a header: in quotes, with escapes, where it holds what would break a line. */
function pathOf(name: Buffer): string {
  if (name[0] !== QUOTE) return decodePath(name);
  const escaped = name
    .toString("latin1")
    .replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`);
  return decodePath(encodePath(escaped));
}
