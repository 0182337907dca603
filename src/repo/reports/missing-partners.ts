/** Files that nearly always change with one that did, and have not. */
import { byPath } from "../../lib/by-text.ts";
import { isTestFile } from "../analysis/test-files.ts";
import { provenShare } from "../analysis/usual-partners.ts";
import { BULK_FILES } from "../history/commit-facts.ts";
import type { Examined } from "./review-files.ts";
import type { MissingPartner } from "./shapes.ts";

const MOST = 10;

/**
 * The surest first, each once. A change of very many files says nothing of what belongs together,
 * so none are missing from it; nor from a file that is new, or gone, from a document or a lock
 * file, and of a test alone no source is missing.
 */
export function missingPartners(files: readonly Examined[]): readonly MissingPartner[] {
  if (files.length > BULK_FILES) return [];
  const changed = new Set(files.flatMap(({ touched }) => [touched.path, touched.oldPath ?? ""]));
  const best = new Map<string, MissingPartner>();
  for (const { touched, facts, isCode } of files) {
    if (!isCode || touched.status === "A" || touched.status === "D") continue;
    const isTest = isTestFile(touched.path);
    for (const { path, cochange_count, support } of facts.usualPartners) {
      if (changed.has(path) || (isTest && !isTestFile(path))) continue;
      const found = { path, changed: touched.path, together: cochange_count, of: support };
      const known = best.get(path);
      if (known === undefined || sureness(found) > sureness(known)) best.set(path, found);
    }
  }
  return [...best.values()]
    .sort((a, b) => sureness(b) - sureness(a) || byPath(a, b))
    .slice(0, MOST);
}

function sureness({ together, of }: MissingPartner): number {
  return provenShare(together, of);
}

/** One of them as a sentence. */
export function missingPartnerText({ path, changed, together, of }: MissingPartner): string {
  return `${changed} changed, ${path} did not: together in ${together} of ${of} commits.`;
}
