/** Reads patches as git prints them: of each file the new side, as far as the patch shows it. */
import { decodePath, encodePath } from "../lib/git-path.ts";

export interface PatchedLine {
  /** In the new file, from 1. */
  readonly number: number;
  readonly isAdded: boolean;
}

export interface PatchedFile {
  /** Path after the change. */
  readonly file: string;
  /** Lines that were added or left as they were; an empty one parts what is not together. */
  readonly text: string;
  /** Of each line of `text`, what it is; `undefined` for those that part. */
  readonly lines: readonly (PatchedLine | undefined)[];
  readonly isBinary: boolean;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Files that end up without content, as deleted ones do, are left out. */
export function* readPatch(patch: string): Generator<PatchedFile> {
  let file = startFile("");
  for (const line of eachLine(patch)) {
    if (file.takeContent(line)) continue;
    if (line.startsWith("diff --git ")) {
      yield* file.finish();
      file = startFile(line.slice("diff --git ".length));
    } else file.takeHeader(line);
  }
  yield* file.finish();
}

function* eachLine(text: string): Generator<string> {
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    yield text.slice(from, at);
    from = at + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** @param names both names as the first line of its part has them. */
function startFile(names: string) {
  let file: string | undefined;
  let isBinary = false;
  let isDeleted = false;
  let number = 0;
  const left = { old: 0, new: 0 };
  const texts: string[] = [];
  const lines: (PatchedLine | undefined)[] = [];

  function startHunk(line: string): void {
    const hunk = HUNK.exec(line);
    if (hunk === null) return;
    if (texts.length > 0) {
      texts.push("");
      lines.push(undefined);
    }
    left.old = Number(hunk[1] ?? 1);
    left.new = Number(hunk[3] ?? 1);
    number = Number(hunk[2]);
  }

  return {
    takeHeader(line: string): void {
      if (line.startsWith("+++ ")) file = newName(line.slice(4));
      else if (line.startsWith("Binary files ") || line === "GIT binary patch") isBinary = true;
      else if (line.startsWith("deleted file mode ")) isDeleted = true;
      else startHunk(line);
    },

    /** Whether the line is of the hunk, which its counts tell: content may look like a header. */
    takeContent(line: string): boolean {
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

    *finish(): Generator<PatchedFile> {
      const name = file ?? newNameOf(names);
      if (name === undefined || isDeleted || (texts.length === 0 && !isBinary)) return;
      yield { file: name, text: texts.join("\n"), lines, isBinary };
    },
  };
}

/** The name after `+++`, which git ends with a tab where it has blanks. */
function newName(text: string): string | undefined {
  const name = unquoted(text.replace(/\t$/, ""));
  return name === "/dev/null" ? undefined : name.replace(/^b\//, "");
}

/** Binary files have no `+++`; both names are the same but for a rename, which names them apart. */
function newNameOf(names: string): string | undefined {
  if (names === "") return undefined;
  const second = names.startsWith('"') || names.endsWith('"') ? names.search(/ "?b\//) : -1;
  const at = second === -1 ? (names.length - 1) / 2 : second;
  return newName(names.slice(Math.floor(at) + 1));
}

function unquoted(name: string): string {
  return name.startsWith('"') ? decodePath(encodePath(name)) : name;
}
