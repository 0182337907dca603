/** Where a task may change files: what the user wrote for it, and what has left it. */
import { isAbsolute, posix, relative } from "node:path";
import createIgnore from "ignore";
import { PalliumError } from "../../lib/errors.ts";

/** The whole repository. */
export const EVERYTHING = ".";

export interface ScopeBase {
  /** Absolute root of the working tree. */
  readonly root: string;
  /** Where the user stands, relative to the root; empty at the root itself. */
  readonly prefix: string;
  /** Whether the working tree has a file or folder of this path, relative to the root. */
  readonly exists: (path: string) => boolean;
}

/** The task in force and the changed files, held against each other. */
export interface TaskScopeReport {
  readonly goal: string;
  readonly scope_paths: readonly string[];
  readonly started_at: string;
  readonly in_scope_changed: readonly string[];
  readonly out_of_scope_changed: readonly string[];
  readonly has_scope_drift: boolean;
}

export interface ScopedTask {
  readonly goal: string;
  readonly scope: readonly string[];
  readonly startedAt: string;
}

/**
 * Reads the scope of a task: files, folders, globs as in `.gitignore`, and any of these behind a
 * `!` to leave it out; commas part them too. None means everything. What is relative counts from
 * where the user stands, or from the root where only that leads somewhere.
 * @returns entries for `createScope`, relative to the root.
 * @throws PalliumError `scope_empty`, `scope_outside`.
 */
export function parseScope(words: readonly string[], base: ScopeBase): readonly string[] {
  if (words.length === 0) return [EVERYTHING];
  const entries = words.flatMap((word) => splitWord(word, base)).filter((entry) => entry !== "");
  if (entries.length > 0) return [...new Set(entries.map((entry) => toEntry(entry, base)))];
  throw new PalliumError("scope_empty", "the scope names nothing", {
    exitCode: 2,
    hints: ["name files, folders or globs, or leave the scope out to allow everything"],
  });
}

/**
 * Refuses what a goal without quotes comes to: one word, and a scope of words that name nothing.
 * @throws PalliumError `task_goal_unquoted`
 */
export function assertGoalIsWhole(goal: string, words: readonly string[], base: ScopeBase): void {
  const isWord = (word: string) =>
    /^[\p{L}\p{N}'-]+$/u.test(word) &&
    !base.exists(word) &&
    !base.exists(posix.join(base.prefix, word));
  if (words.length === 0 || /\s/.test(goal) || !words.every(isWord)) return;
  throw new PalliumError("task_goal_unquoted", `no file or folder is named: ${words.join(", ")}`, {
    exitCode: 2,
    hints: [
      `put the goal in quotes: pallium task start "${[goal, ...words].join(" ")}"`,
      `a folder that is yet to be made is written with a slash: ${words[0]}/`,
    ],
  });
}

function splitWord(word: string, base: ScopeBase): readonly string[] {
  if (word.includes(",") && base.exists(posix.join(base.prefix, word))) return [word];
  return word.split(",").map((part) => part.trim());
}

function toEntry(text: string, base: ScopeBase): string {
  if (text.startsWith("!")) return `!${toEntry(text.slice(1).trim(), base)}`;
  const entry = trimSlash(
    posix.normalize(isAbsolute(text) ? relative(base.root, text) : fromHere(text, base)),
  );
  if (entry !== ".." && !entry.startsWith("../")) return entry;
  throw new PalliumError("scope_outside", `not inside the repository: ${text}`, {
    exitCode: 2,
    hints: [`name files and folders below ${base.root}`],
  });
}

function fromHere(text: string, { prefix, exists }: ScopeBase): string {
  const here = posix.join(prefix, isOfAnyDepth(text) && prefix !== "" ? `**/${text}` : text);
  const fixed = posix.join(fixedPart(text));
  const onlyAtRoot = !exists(posix.join(prefix, fixed)) && exists(fixed);
  return onlyAtRoot ? text : here;
}

/** A glob without a slash, but for the last, matches at any depth. */
function isOfAnyDepth(text: string): boolean {
  return isGlob(text) && !text.slice(0, -1).includes("/");
}

/** The folders of a glob before its first special character; all of a plain path. */
function fixedPart(text: string): string {
  const parts = text.split("/");
  const special = parts.findIndex(isGlob);
  return special === -1 ? text : parts.slice(0, special).join("/");
}

/** A trailing slash has a glob match folders alone; a plain path names the same without. */
function trimSlash(path: string): string {
  if (path === "") return EVERYTHING;
  return isGlob(path) ? path : path.replace(/(?<=.)\/$/, "");
}

function isGlob(text: string): boolean {
  return /[*?[\\]/.test(text);
}

/** @returns whether a path, relative to the root, lies in the scope. */
export function createScope(entries: readonly string[]): (path: string) => boolean {
  const left = entries.filter((entry) => entry.startsWith("!")).map((entry) => entry.slice(1));
  const taken = entries.filter((entry) => !entry.startsWith("!"));
  const isTaken = createMatcher(taken.length === 0 && left.length > 0 ? [EVERYTHING] : taken);
  const isLeft = createMatcher(left);
  return (path) => isTaken(path) && !isLeft(path);
}

/** A name may look like a glob and be a file's own, as `[id].tsx`: both readings count. */
function createMatcher(entries: readonly string[]): (path: string) => boolean {
  if (entries.includes(EVERYTHING)) return () => true;
  if (entries.length === 0) return () => false;
  const globs = createIgnore({ ignorecase: false, allowRelativePaths: true });
  globs.add(entries.filter(isGlob).map((glob) => ({ pattern: glob.replace(/^#/, "\\#") })));
  return (path) =>
    entries.some((entry) => path === entry || path.startsWith(`${entry}/`)) || globs.ignores(path);
}

/** Paths are sorted; without a task everything is empty. */
export function taskScopeReport(
  task: ScopedTask | undefined,
  changed: readonly string[],
): TaskScopeReport {
  const paths = task === undefined ? [] : [...new Set(changed)].sort();
  const isInScope = createScope(task?.scope ?? []);
  const outside = paths.filter((path) => !isInScope(path));
  return {
    goal: task?.goal ?? "",
    scope_paths: task?.scope ?? [],
    started_at: task?.startedAt ?? "",
    in_scope_changed: paths.filter(isInScope),
    out_of_scope_changed: outside,
    has_scope_drift: outside.length > 0,
  };
}
