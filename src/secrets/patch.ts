/** Reads patches as git prints them: of each file the new side, as far as the patch shows it. */
import { decodePath, encodePath } from "../lib/git-path.ts";
import { optional } from "../lib/optional.ts";
import type { SkippedFile } from "./finding.ts";
import {
  type BinaryAllowance,
  createBinaryHunk,
  createTextHunks,
  type PatchedLine,
  type ShownLines,
} from "./hunks.ts";

export interface PatchedFile {
  /** Path after the change. */
  readonly file: string;
  /**
   * Lines that were added or left as they were; an empty one parts what is not together. Of a
   * binary file all of it.
   */
  readonly text: string;
  /** Of each line of `text`, what it is; `undefined` for those that part. */
  readonly lines: readonly (PatchedLine | undefined)[];
  /** Why there is nothing of it, where the patch does not show its content. */
  readonly unread?: SkippedFile["reason"];
}

/** Begins a part of its own; the last two are of merges, with a column for each parent. */
const BEGINS = /^diff --(git|cc|combined) (.*)$/;
const NEW_NAME = /^(?:rename|copy) to (.*)$/;
const DEFAULT_MOST_BINARY = 16_000_000;

/**
 * Files that end up without content, as deleted ones do, are left out.
 * @param mostBinary bytes of binary files, all together, that are unpacked.
 */
export function* readPatch(
  patch: string,
  mostBinary = DEFAULT_MOST_BINARY,
): Generator<PatchedFile> {
  const allowance = { left: mostBinary };
  let file = startFile("", allowance);
  for (const line of eachLine(patch)) {
    if (file.takeContent(line)) continue;
    const [, form, names = ""] = BEGINS.exec(line) ?? [];
    if (form !== undefined || (line.startsWith("--- ") && file.hasContent())) {
      yield* file.finish();
      file = form === "cc" || form === "combined" ? ofMerge(names) : startFile(names, allowance);
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
function startFile(names: string, allowance: BinaryAllowance) {
  let file: string | undefined;
  let isDeleted = false;
  const shown: ShownLines = { texts: [], lines: [] };
  const hunks = createTextHunks(shown);
  const binary = createBinaryHunk(shown, allowance);
  return {
    hasContent: () => shown.texts.length > 0,
    takeContent: (line: string) => hunks.take(line) || binary.take(line),

    takeHeader(line: string): void {
      const renamed = NEW_NAME.exec(line)?.[1];
      if (renamed !== undefined) file = unquoted(renamed);
      else if (line.startsWith("+++ ")) file = newName(line.slice(4));
      else if (line.startsWith("deleted file mode ")) isDeleted = true;
      hunks.begin(line);
      binary.takeHeader(line);
    },

    *finish(): Generator<PatchedFile> {
      binary.close();
      const { texts, lines } = shown;
      const [name, unread] = [file ?? newNameOf(names), binary.unread()];
      if (name === undefined || isDeleted) return;
      if (texts.length === 0 && unread === undefined) return;
      yield { file: name, text: texts.join("\n"), lines, ...optional({ unread }) };
    },
  };
}

/** Changes against several parents at once are not read. */
function ofMerge(name: string): ReturnType<typeof startFile> {
  const file = unquoted(name);
  return {
    hasContent: () => false,
    takeContent: () => false,
    takeHeader: () => {},
    *finish() {
      yield { file, text: "", lines: [], unread: "merge" };
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
