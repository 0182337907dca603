/** Random changes of files, made in a model and on a disk alike. */
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { contentOf, foldersOf, type Model, type ModelFile } from "./edit-model.ts";
import type { Random } from "./random.ts";

const PLACES = 4;
const FOLDERS = ["", "", "", "src/", "a b/", "n\nl/", "b\xfe/", ":(top)/", "src/deep/"];
const NAMES = [
  "a",
  "A",
  "file.txt",
  "with space",
  '"quoted"',
  "tab\there",
  "new\nline",
  "back\\slash",
  "-dash",
  "{a => b}",
  ":(glob)*",
  "latin\xe9",
  "\xc3\xbc",
  "cr\r",
  "*",
  "#",
  ".hidden",
  "src",
  "n".repeat(250),
];
const LINES = ["", "one\n", "one", "one\r\n", "one\r", "\0\x01\xff", "$Id$\n", "\xff\xfe\n"];
const TARGETS = ["a", "src", "nowhere", "/etc/passwd", "../../up", "bytes\xff"];

/** A file as it may come from anywhere; `stamp` is in it, so that no two are the same by chance. */
function randomFile(random: Random, stamp: string): ModelFile {
  const mode = random.percent(20) ? "100755" : "100644";
  const kind = random.below(10);
  if (kind < 6) {
    const slots = Array.from({ length: PLACES }, (_, place) => `${stamp} place ${place}\n`);
    return { mode, slots };
  }
  if (kind < 8)
    return { mode, whole: random.percent(80) ? stamp + random.pick(LINES) : random.pick(LINES) };
  return { mode: "120000", whole: random.pick(TARGETS) };
}

function randomPath(random: Random): string {
  return random.pick(FOLDERS) + random.pick(NAMES);
}

/** Removes a path, and whatever it is a folder of. */
function without(model: Map<string, ModelFile>, path: string): void {
  for (const other of [...model.keys()]) {
    if (other === path || foldersOf(other).includes(path)) model.delete(other);
  }
}

/** Puts a file there, in the place of what stands in its way. */
function put(model: Map<string, ModelFile>, path: string, file: ModelFile): void {
  without(model, path);
  for (const folder of foldersOf(path)) model.delete(folder);
  model.set(path, file);
}

/** Files that a repository begins with. */
export function randomModel(random: Random): Model {
  const model = new Map<string, ModelFile>();
  const count = 1 + random.below(12);
  for (let made = 0; made < count; made++) {
    put(model, randomPath(random), randomFile(random, `base ${made}`));
  }
  return model;
}

/** One to six changes of any kind. */
export function changeModel(random: Random, before: Model, who: string): Model {
  const model = new Map(before);
  const count = 1 + random.below(6);
  for (let move = 0; move < count; move++) {
    const stamp = random.percent(15) ? "the same" : `${who} ${move}`;
    const path = model.size === 0 ? "a" : random.pick([...model.keys()]);
    const file = model.get(path);
    const kind = random.below(10);
    if (file === undefined || kind < 2) put(model, randomPath(random), randomFile(random, stamp));
    else if (kind < 6 && "slots" in file)
      model.set(path, changeSlot(random, file.mode, file.slots, stamp));
    else if (kind < 7) without(model, path);
    else if (kind < 8 && file.mode !== "120000") {
      model.set(path, { ...file, mode: file.mode === "100644" ? "100755" : "100644" } as ModelFile);
    } else if (kind < 9) {
      without(model, path);
      put(model, randomPath(random), file);
    } else put(model, random.percent(50) ? path : `${path}/inner`, randomFile(random, stamp));
  }
  return model;
}

function changeSlot(
  random: Random,
  mode: "100644" | "100755",
  slots: readonly string[],
  stamp: string,
): ModelFile {
  const place = random.below(slots.length);
  const text = random.pick([`${stamp}\n`, `${stamp}\nmore\n`, `${stamp}\r\n`, ""]);
  return { mode, slots: slots.map((slot, index) => (index === place ? text : slot)) };
}

/** Makes the files below a folder, which are as one model has them, as another has them. */
export function bringFiles(root: string, from: Model, to: Model): void {
  const at = (path: string) => Buffer.from(`${root}/`).toString("latin1") + path;
  const bytes = (path: string) => Buffer.from(at(path), "latin1");
  for (const [path, file] of from) {
    const next = to.get(path);
    if (next?.mode === file.mode && contentOf(next) === contentOf(file)) continue;
    rmSync(bytes(path), { force: true });
  }
  for (const [path, file] of to) {
    const old = from.get(path);
    if (old?.mode === file.mode && contentOf(old) === contentOf(file)) continue;
    for (const folder of foldersOf(path)) mkdirSync(bytes(folder), { recursive: true });
    if (lstatSync(bytes(path), { throwIfNoEntry: false })?.isDirectory() === true) {
      rmSync(bytes(path), { recursive: true });
    }
    const content = Buffer.from(contentOf(file), "latin1");
    if (file.mode === "120000") symlinkSync(content, bytes(path));
    else {
      writeFileSync(bytes(path), content);
      chmodSync(bytes(path), file.mode === "100755" ? 0o755 : 0o644);
    }
  }
}
