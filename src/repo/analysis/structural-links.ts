/** What a file is connected with by imports, names and folders, the strongest first. */
import { byPath } from "../../lib/by-text.ts";
import { folderOf } from "../../lib/slash-path.ts";
import type { LinkRow } from "../history/queries.ts";
import { languageOf } from "../imports/language.ts";
import type { Language } from "../imports/types.ts";
import { isTestFile } from "./test-files.ts";
import { pairStem } from "./test-pairing.ts";

export interface StructuralLink {
  readonly path: string;
  /** Such as `test-pair`, `js-import`, `py-dependent`, `go-symbol`, `same-dir-test`. */
  readonly kind: string;
  readonly reason: string;
}

interface Ranked extends StructuralLink {
  /** Less is stronger. */
  readonly rank: number;
}

/** What is known of a file already. */
export interface LinksOf {
  readonly uses: readonly LinkRow[];
  readonly usedBy: readonly LinkRow[];
  /** Chosen for it, the most telling first. */
  readonly tests: readonly string[];
  /** All files of its folder. */
  readonly siblings: readonly string[];
}

const RANK = {
  testPair: 0,
  import: 1,
  dependent: 2,
  call: 3,
  package: 4,
  folderTest: 5,
  stem: 6,
} as const;

const SHORT: Readonly<Partial<Record<Language, string>>> = {
  javascript: "js",
  python: "py",
  csharp: "cs",
};

/** Every link once, by its strongest kind; ranked by kind, then by path. */
export function structuralLinks(path: string, known: LinksOf): readonly StructuralLink[] {
  const found = [
    ...known.uses.map((link) => paired(path, link) ?? useLink(path, link)),
    ...known.usedBy.map((link) => paired(path, link) ?? dependentLink(path, link)),
    ...known.tests.flatMap((test) => testLink(path, test)),
    ...stemLinks(path, known.siblings),
  ];
  found.sort((a, b) => a.rank - b.rank || byPath(a, b));
  const best = new Map<string, StructuralLink>();
  for (const { rank: _rank, ...link } of found) {
    if (link.path !== path && !best.has(link.path)) best.set(link.path, link);
  }
  return [...best.values()];
}

function shortOf(path: string): string {
  const language = languageOf(path);
  return language === undefined ? "file" : (SHORT[language] ?? language);
}

/** @param isLinked whether one uses the other; without it a name says little of another folder. */
function paired(
  path: string,
  { path: other }: { readonly path: string },
  isLinked = true,
): Ranked | undefined {
  const isPair = isTestFile(path) !== isTestFile(other) && pairStem(path) === pairStem(other);
  if (!isPair) return undefined;
  if (!isLinked && folderOf(path) !== folderOf(other)) {
    const reason = isTestFile(other) ? "is named as its test" : "has the name of what it tests";
    return { path: other, kind: "test-pair", reason, rank: RANK.folderTest };
  }
  const reason = isTestFile(other) ? "is the test of this file" : "is what this test is about";
  return { path: other, kind: "test-pair", reason, rank: RANK.testPair };
}

function useLink(path: string, { path: other, kind }: LinkRow): Ranked {
  const short = shortOf(path);
  if (kind === "call") {
    return {
      path: other,
      kind: `${short}-symbol`,
      reason: "this file uses its names",
      rank: RANK.call,
    };
  }
  const isPackage = kind === "package";
  return {
    path: other,
    kind: `${short}-import`,
    reason: isPackage ? "this file imports its package" : "this file imports it",
    rank: isPackage ? RANK.package : RANK.import,
  };
}

function dependentLink(path: string, { path: other, kind }: LinkRow): Ranked {
  const short = shortOf(path);
  if (kind === "call") {
    return {
      path: other,
      kind: `${short}-dependent`,
      reason: "uses names of this file",
      rank: RANK.call,
    };
  }
  const isPackage = kind === "package";
  return {
    path: other,
    kind: short === "go" ? "go-package-dependent" : `${short}-dependent`,
    reason: isPackage ? "imports the package of this file" : "imports this file",
    rank: isPackage ? RANK.package : RANK.dependent,
  };
}

/** Tests that history alone chose are no structure. */
function testLink(path: string, test: string): readonly Ranked[] {
  const pair = paired(path, { path: test }, false);
  if (pair !== undefined) return [pair];
  if (folderOf(test) !== folderOf(path) || isTestFile(path)) return [];
  const reason = "is a test in the same folder";
  return [{ path: test, kind: "same-dir-test", reason, rank: RANK.folderTest }];
}

function stemLinks(path: string, siblings: readonly string[]): readonly Ranked[] {
  if (isTestFile(path)) return [];
  const stem = pairStem(path);
  const reason = "has the same name in the same folder";
  return siblings
    .filter(
      (sibling) =>
        // The stem is a piece of the path, which is told at once.
        sibling.toLowerCase().includes(stem) && pairStem(sibling) === stem && !isTestFile(sibling),
    )
    .map((sibling) => ({ path: sibling, kind: "same-stem", reason, rank: RANK.stem }));
}
