/** What the hunks of one file say of its new side. */
import { binaryText, decodeHunk, isHunkLine } from "./binary-hunk.ts";

export interface PatchedLine {
  /** In the new file, from 1. */
  readonly number: number;
  readonly isAdded: boolean;
}

/** Lines of the new file as far as they are shown, and of each what it is; `undefined` parts hunks. */
export interface ShownLines {
  readonly texts: string[];
  readonly lines: (PatchedLine | undefined)[];
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const LITERAL = /^literal (\d+)$/;

export function createTextHunks({ texts, lines }: ShownLines) {
  const left = { old: 0, new: 0 };
  let number = 0;
  return {
    begin(line: string): void {
      const hunk = HUNK.exec(line);
      if (hunk === null) return;
      if (texts.length > 0) {
        texts.push("");
        lines.push(undefined);
      }
      left.old = Number(hunk[1] ?? 1);
      left.new = Number(hunk[3] ?? 1);
      number = Number(hunk[2]);
    },

    /** Whether the line is of the hunk, which its counts tell: content may look like a header. */
    take(line: string): boolean {
      if (left.old <= 0 && left.new <= 0) return false;
      const mark = line.charAt(0);
      if (mark === "\\") return true;
      if (mark !== "+") left.old -= 1;
      if (mark === "-") return true;
      left.new -= 1;
      texts.push(line.slice(1));
      lines.push({ number, isAdded: mark === "+" });
      number += 1;
      return true;
    },
  };
}

/** Bytes of binary files that may still be unpacked. */
export interface BinaryAllowance {
  left: number;
}

/** A binary file has two hunks, there and back; only the first counts, and only when it is whole. */
export function createBinaryHunk({ texts, lines }: ShownLines, allowance: BinaryAllowance) {
  let state: "none" | "announced" | "open" | "over" = "none";
  let unread: "binary" | "too_large" | undefined;
  let size = 0;
  const packed: string[] = [];

  function close(): void {
    if (state !== "open") return;
    state = "over";
    if (size > allowance.left) {
      unread = "too_large";
      return;
    }
    allowance.left -= size;
    const content = decodeHunk(packed, size);
    if (content === undefined) return;
    unread = undefined;
    for (const text of binaryText(content).split("\n")) {
      texts.push(text);
      lines.push({ number: texts.length, isAdded: true });
    }
  }

  return {
    close,
    unread: () => unread,

    /** Of all lines that are no content. */
    takeHeader(line: string): void {
      if (line.startsWith("Binary files ")) unread = "binary";
      else if (line === "GIT binary patch") {
        unread = "binary";
        state = "announced";
      } else if (state === "announced") {
        size = Number(LITERAL.exec(line)?.[1] ?? Number.NaN);
        state = Number.isNaN(size) ? "over" : "open";
      }
    },

    take(line: string): boolean {
      if (state !== "open") return false;
      if (isHunkLine(line)) {
        packed.push(line);
        return true;
      }
      close();
      return false;
    },
  };
}
