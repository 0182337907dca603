/** What the analyses say of one file, put together once for all reports of a command. */

import { folderOf } from "../../lib/slash-path.ts";
import { blastRadius, partnersOf } from "../analysis/blast-radius.ts";
import { boundaryLabels } from "../analysis/boundaries.ts";
import type { Known } from "../analysis/confidence.ts";
import { type Related, relatedFiles } from "../analysis/related.ts";
import { type RiskLevel, type RiskReport, riskOf } from "../analysis/risk.ts";
import { type StructuralLink, structuralLinks } from "../analysis/structural-links.ts";
import { surroundings } from "../analysis/surroundings.ts";
import { type SuggestedTest, suggestTests } from "../analysis/test-choice.ts";
import { isUsualPartner } from "../analysis/usual-partners.ts";
import type { RepoView } from "../analysis/view.ts";
import type { LinkRow } from "../history/queries.ts";

export interface FileFacts {
  readonly path: string;
  /** Whether the working tree has it. */
  readonly exists: boolean;
  /** Absent for what neither the index nor the working tree has, as the next three say nothing then. */
  readonly risk?: RiskReport;
  /** `unknown` for what neither the index nor the working tree has. */
  readonly level: RiskLevel;
  /** 0 to 100. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** Commits that touched it. */
  readonly commits: number;
  readonly authors: number;
  readonly related: readonly Related[];
  /** Of those, what nearly always changes with it. */
  readonly usualPartners: readonly Related[];
  readonly uses: readonly LinkRow[];
  readonly usedBy: readonly LinkRow[];
  readonly links: readonly StructuralLink[];
  /** Tests that say something of it, the most telling first. */
  readonly tests: readonly SuggestedTest[];
  /** Boundaries at which it lies. */
  readonly labels: readonly string[];
  /** At most so many of what an edit may reach. */
  blastRadius(limit: number): readonly string[];
  readonly known: Known;
}

/** Tells the facts of a file; the same file is looked at once. */
export type FactsOf = (path: string) => FileFacts;

const MOST_RELATED = 12;
const MOST_TESTS = 5;
/** A test without imports or a name in common covers a file if it changed with it so often. */
const LEAST_TOGETHER = 2;

/** @param view absent where there is no index: then nothing is known of any file. */
export function createFacts(view: RepoView | undefined): FactsOf {
  const found = new Map<string, FileFacts>();
  const look = view === undefined ? unknownFacts : lookAt(view);
  return (path) => {
    const facts = found.get(path) ?? look(path);
    found.set(path, facts);
    return facts;
  };
}

/** What can be said of a file from its name alone. */
export function unknownFacts(path: string): FileFacts {
  return {
    path,
    exists: false,
    level: "unknown",
    score: 0,
    reasons: [],
    commits: 0,
    authors: 0,
    related: [],
    usualPartners: [],
    uses: [],
    usedBy: [],
    links: [],
    tests: [],
    labels: boundaryLabels(path),
    blastRadius: () => [],
    known: { commits: 0, links: 0, tests: 0, partners: 0 },
  };
}

function lookAt(view: RepoView): FactsOf {
  return (path) => {
    const around = surroundings(view, path);
    const related = relatedFiles(view, path, MOST_RELATED, around);
    const uses = view.files.linksFrom(path);
    const usedBy = view.files.linksTo(path);
    const tests = tellingTests(path, suggestTests(view, path, MOST_TESTS, around));
    const testPaths = tests.map((test) => test.path);
    const siblings = view.places.beside(path);
    const links = structuralLinks(path, { uses, usedBy, tests: testPaths, siblings });
    const risk = riskOf(view, path, around, related);
    const commits = risk?.churn_score ?? 0;
    return {
      path,
      exists: view.files.paths.has(path),
      ...(risk && { risk }),
      level: risk?.level ?? "unknown",
      score: risk?.score ?? 0,
      reasons: risk?.reasons ?? [],
      commits,
      authors: risk?.author_count ?? 0,
      related,
      usualPartners: related.filter(isUsualPartner),
      uses,
      usedBy,
      links,
      tests,
      labels: boundaryLabels(path),
      blastRadius: (limit) => blastRadius(path, { related, uses, usedBy, tests: testPaths }, limit),
      known: {
        commits,
        links: links.length,
        tests: tests.length,
        partners: partnersOf(related).length,
      },
    };
  };
}

/** Whether a test is likely to cover the file that it was suggested for. */
export function covers({ is_connected, cochange_count }: SuggestedTest): boolean {
  return is_connected || cochange_count >= LEAST_TOGETHER;
}

/** Where nothing covers the file, a test beside it that came with it is the best there is. */
function tellingTests(path: string, tests: readonly SuggestedTest[]): readonly SuggestedTest[] {
  return tests.filter(
    (test) => covers(test) || (test.cochange_count > 0 && folderOf(test.path) === folderOf(path)),
  );
}
