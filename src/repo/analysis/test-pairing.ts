/** How well the names of a source and of a test say that they belong together. */

import { folderOf, nameOf } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";

/** Names that stand for their folder. */
const FOLDER_NAMES = ["index", "mod", "__init__"];
/** Names that many folders have, so that the folder decides. */
const COMMON_NAMES =
  /^(?:utils?|helpers?|types?|common|constants?|config|main|app|errors?|index|lib|base|core|models?|views?|api|client|server|handlers?)$/;
/** Folders that say where sources and tests lie rather than what they are about. */
const LAYOUT =
  /^(?:src|source|lib|main|java|kotlin|scala|groovy|php|python|packages?|pkgs?|crates|apps?|modules|app|test|tests|__tests?__|t|spec|specs|e2e|unit|integration|unit[-_]?tests?|integration[-_]?tests?|functional|common(?:main|test)|jvm(?:main|test))$/i;
const KINDS =
  "test|tests|spec|specs|e2e|cy|unit|integration|functional|browser|node|e2e-spec|test-d";
const BEFORE = /^(?:t\d{3,5}-|tests?[-_.](?=.))/i;
const AFTER = new RegExp(`[-_.](?:${KINDS}|unittest|suite|cest)$`, "i");
const CAMEL_BEFORE = /^Test(?=[A-Z])/;
const CAMEL_AFTER =
  /(?<=.)(?:UnitTest|IntegrationTest|TestCase|Tests?|Specs?|Suite|ITCase|IT|Cest|Facts)$/;
/** Tests that run programs, whatever these are written in. */
const PROGRAM_TESTS = /\.(?:sh|bash|bats|t)$/;
const PROGRAM_TEST_FACTOR = 0.6;

function withoutAffixes(name: string): string {
  let stem = name.replace(/\.[^.]+$/, "").replace(/\.d$/, "");
  let before = "";
  while (stem !== before) {
    before = stem;
    stem = stem.replace(AFTER, "").replace(CAMEL_AFTER, "");
  }
  return stem.replace(BEFORE, "").replace(CAMEL_BEFORE, "");
}

function folderNames(path: string): string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : folder.split("/").filter((segment) => !LAYOUT.test(segment));
}

/** What the file is about, as its name has it, or its folder's where the name says nothing. */
function subjectOf(path: string): string {
  const stem = withoutAffixes(nameOf(path));
  return FOLDER_NAMES.includes(stem) ? (folderNames(path).at(-1) ?? stem) : stem;
}

/**
 * What a source is or a test is about, in lower case: `session.test.ts`, `TestSession.java`,
 * `test_session.py` and `session/index.ts` are all `session`.
 */
export function pairStem(path: string): string {
  return subjectOf(path).toLowerCase();
}

/** Words of a subject, in lower case: `parseHTTPRequest` and `parse-http_request` have the same. */
function wordsOf(subject: string): string[] {
  return subject
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3 $2$4")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Languages whose files test each other. */
function familyOf(path: string): string {
  const language = languageOf(path);
  if (language === "kotlin") return "java";
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return language ?? (extension === "scala" || extension === "groovy" ? "java" : `.${extension}`);
}

/** Whether the one may test the other, as far as their languages go: tests in shell run programs of any. */
export function mayTest(source: string, test: string): boolean {
  return familyOf(source) === familyOf(test) || PROGRAM_TESTS.test(test);
}

/** How much of the longer list of words the shorter one is, if it is a run of them. */
function containment(source: readonly string[], test: readonly string[]): number {
  const [short, long] = source.length <= test.length ? [source, test] : [test, source];
  const run = ` ${long.join(" ")} `.includes(` ${short.join(" ")} `);
  const isWord = short.join("").length > 2;
  return run && isWord ? 0.3 + 0.4 * (short.length / long.length) : 0;
}

function stemAffinity(source: readonly string[], test: readonly string[]): number {
  if (source.length === 0 || test.length === 0) return 0;
  return source.join("") === test.join("") ? 1 : containment(source, test);
}

/** Share of folder names that both have; 1 where neither has any. */
function folderAffinity(source: string, test: string): number {
  const [ofSource, ofTest] = [new Set(folderNames(source)), new Set(folderNames(test))];
  const larger = Math.max(ofSource.size, ofTest.size);
  return larger === 0 ? 1 : ofSource.intersection(ofTest).size / larger;
}

function affinity(source: string, test: string, subjectWords: WordsOf): number {
  const stems = stemAffinity(subjectWords(source), subjectWords(test));
  if (stems === 0 || source === test) return 0;
  const sameFamily = familyOf(test) === familyOf(source);
  if (!sameFamily && !PROGRAM_TESTS.test(test)) return 0;
  const byFolder = COMMON_NAMES.test(pairStem(source)) ? 0.7 : 0.3;
  const byName = 1 - byFolder + byFolder * folderAffinity(source, test);
  return stems * byName * (sameFamily ? 1 : PROGRAM_TEST_FACTOR);
}

/** What every path matches that has one of some words, however its letters are parted. */
function mentionOf(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const parted = words.map((word) => [...word].join("[-_. ]*"));
  return new RegExp(parted.join("|"), "i");
}

/** Tells `subjectWords` of a path. */
export type WordsOf = (path: string) => readonly string[];

/** The words of what a file is about, in lower case. */
export function subjectWords(path: string): readonly string[] {
  return wordsOf(subjectOf(path));
}

/**
 * Measures how well the names of many tests fit one source: from 0, not at all, to 1, the same name in
 * the same place. Files of different languages never pair, except with tests of whole programs in
 * shell.
 * @param words may remember what it told.
 */
export function affinityTo(path: string, words: WordsOf = subjectWords): (test: string) => number {
  const mention = mentionOf(words(path));
  return (test) => (mention?.test(test) === true ? affinity(path, test, words) : 0);
}

/** The same for many sources of one test. */
export function affinityFrom(
  test: string,
  words: WordsOf = subjectWords,
): (path: string) => number {
  const letters = test.toLowerCase().replaceAll(/[-_. ]/g, "");
  return (path) =>
    words(path).some((word) => letters.includes(word)) ? affinity(path, test, words) : 0;
}

/**
 * Whether a test is named after a source: with all of its words, or with the first of them. The last
 * alone says what kind of thing it is: `cop_spec` is no test of `alias_cop`.
 */
export function isNamedAfter(source: string, test: string, words: WordsOf = subjectWords): boolean {
  const [from, to] = [source, test].map((path) => ` ${words(path).join(" ")} `);
  return from !== undefined && to !== undefined && (to.includes(from) || from.startsWith(to));
}
