/** What git prints of commits in our format, turned into commits while it streams. */
import { decodePath } from "../../lib/git-path.ts";
import { createNulSplitter } from "../../lib/nul-splitter.ts";

/** Arguments of git whose output this parses, for commits named on stdin; `-M` comes on top. */
export const COMMIT_ARGUMENTS = [
  "diff-tree",
  "--stdin",
  "--root",
  "--always",
  "-r",
  "--raw",
  "-z",
  "--encoding=UTF-8",
  "--format=%H%x00%aE%x00%aN%x00%ct%x00%B%x00",
] as const;

/** A file that a commit touched. */
export interface FileChange {
  /** `A` added, `M` modified, `D` deleted, `R` renamed, `T` type changed. */
  readonly status: string;
  readonly path: string;
  /** What a renamed file was called before. */
  readonly oldPath?: string;
}

export interface LogCommit {
  /** Hexadecimal, in full. */
  readonly hash: string;
  readonly email: string;
  readonly name: string;
  /** When it was committed, in seconds since 1970; may be negative, or in the future. */
  readonly committedAt: number;
  /** The whole message. */
  readonly message: string;
  readonly changes: readonly FileChange[];
}

export interface LogParser {
  /** Takes the next bytes of the output. */
  push(chunk: Uint8Array): void;
  /** Takes the last commit. */
  end(): void;
}

const NEWLINE = 0x0a;
const COLON = 0x3a;
/** The letter of an entry stands behind the last one: `:100644 100644 1234567 89abcde R086`. */
const SPACE = 0x20;
const HEADER_FIELDS = 5;
const LETTERS = new Set(["R", "C"]);

/**
 * @param onCommit is called with each commit, in the order of git, once all of it was read. A date
 *   that is none counts as 1970.
 */
export function createLogParser(onCommit: (commit: LogCommit) => void): LogParser {
  let header: string[] = [];
  let changes: FileChange[] = [];
  /** The letter of the entry whose paths come next, and those that came. */
  let status = "";
  let oldPath: string | undefined;

  function finish(): void {
    if (header.length === 0) return;
    const [hash = "", email = "", name = "", time = "", message = ""] = header;
    const seconds = Number.parseInt(time, 10);
    const committedAt = Number.isSafeInteger(seconds) ? seconds : 0;
    onCommit({ hash, email, name, committedAt, message, changes });
    header = [];
    changes = [];
  }

  function takePath(data: Buffer, start: number, end: number): void {
    const path = decodePath(data, start, end);
    if (LETTERS.has(status) && oldPath === undefined) {
      oldPath = path;
      return;
    }
    changes.push(oldPath === undefined ? { status, path } : { status, path, oldPath });
    status = "";
    oldPath = undefined;
  }

  function take(data: Buffer, from: number, end: number): void {
    if (status !== "") {
      takePath(data, from, end);
      return;
    }
    if (header.length > 0 && header.length < HEADER_FIELDS) {
      header.push(data.toString("utf8", from, end));
      return;
    }
    if (from === end) return;
    const start = data[from] === NEWLINE ? from + 1 : from;
    if (data[start] === COLON) {
      status = String.fromCharCode(data[data.lastIndexOf(SPACE, end) + 1] ?? 0);
      return;
    }
    finish();
    header = [data.toString("latin1", from, end)];
  }

  return { push: createNulSplitter(take).push, end: finish };
}
