/**
 * What files are and how changes of them go together, in memory and without git: the product's
 * answers are compared with it.
 */
import { byText } from "../../../src/lib/by-text.ts";
import type { Files } from "../edit-bench.ts";

/** Text of which some lines may change, far enough apart that changes of different ones never touch. */
export interface SlottedFile {
  readonly mode: "100644" | "100755";
  /** What stands in each place; nothing, a line, or several. */
  readonly slots: readonly string[];
}

/** One line, or bytes that are no text: two changes of it never go together. */
export interface WholeFile {
  readonly mode: "100644" | "100755" | "120000";
  /** Bytes as Latin-1. */
  readonly whole: string;
}

export type ModelFile = SlottedFile | WholeFile;

/** Files by their paths, whose bytes are written as Latin-1. */
export type Model = ReadonlyMap<string, ModelFile>;

export interface ModelMerge {
  readonly merged: Model;
  /** Paths whose changes do not go together, or that are a file in one and a folder in the other. */
  readonly conflicts: ReadonlySet<string>;
}

/** Lines that stay between two places; git takes changes that touch for one. */
const BETWEEN = [1, 2, 3, 4];

/** The bytes of a file, as Latin-1. */
export function contentOf(file: ModelFile): string {
  if ("whole" in file) return file.whole;
  const parts = file.slots.map(
    (slot, place) => slot + BETWEEN.map((line) => `between ${place}.${line}\n`).join(""),
  );
  return `first\n${parts.join("")}`;
}

/** The model as a test reads files from a disk or a tree. */
export function modelFiles(model: Model): Files {
  const files = [...model].map(
    ([path, file]) => [path, `${file.mode} ${contentOf(file)}`] as const,
  );
  return Object.fromEntries(files.toSorted(([a], [b]) => byText(a, b)));
}

/** Brings what changed from `base` to `theirs` to `ours`. */
export function mergeModels(base: Model, ours: Model, theirs: Model): ModelMerge {
  const merged = new Map<string, ModelFile>();
  const conflicts = new Set<string>();
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const file = mergeFiles(base.get(path), ours.get(path), theirs.get(path));
    if (file === "conflict") conflicts.add(path);
    else if (file !== undefined) merged.set(path, file);
  }
  const present = new Set([...merged.keys(), ...[...conflicts].filter((path) => ours.has(path))]);
  for (const folder of [...present].flatMap(foldersOf)) {
    if (present.has(folder)) conflicts.add(folder);
  }
  return { merged, conflicts };
}

/** The folders that a path is in. */
export function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

type Side = ModelFile | undefined;

function mergeFiles(base: Side, ours: Side, theirs: Side): Side | "conflict" {
  if (isSame(theirs, base) || isSame(theirs, ours)) return ours;
  if (isSame(ours, base)) return theirs;
  if (base === undefined || ours === undefined || theirs === undefined) return "conflict";
  const modes = [base.mode, ours.mode, theirs.mode];
  if (modes.includes("120000")) return "conflict";
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  if (contentOf(theirs) === contentOf(base) || contentOf(theirs) === contentOf(ours)) {
    return withMode(ours, mode);
  }
  if (contentOf(ours) === contentOf(base)) return withMode(theirs, mode);
  if (!("slots" in base && "slots" in ours && "slots" in theirs)) return "conflict";
  const slots: string[] = [];
  for (const [place, before] of base.slots.entries()) {
    const [mine = "", other = ""] = [ours.slots[place], theirs.slots[place]];
    if (mine !== before && other !== before && mine !== other) return "conflict";
    slots.push(mine === before ? other : mine);
  }
  return { mode: mode === "100755" ? mode : "100644", slots };
}

function isSame(one: Side, other: Side): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.mode === other.mode && contentOf(one) === contentOf(other);
}

function withMode(file: ModelFile, mode: ModelFile["mode"]): ModelFile {
  return { ...file, mode } as ModelFile;
}
