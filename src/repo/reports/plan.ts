/** How to go about an edit of a file. */
import { distinct } from "../analysis/guidance.ts";
import { isDocumentation } from "../verification/documentation.ts";
import type { ReportContext } from "./context.ts";
import { explainCommand, type FileParts, fileParts } from "./file-report.ts";
import type { PlanReport } from "./shapes.ts";

const GOAL = "Edit the file with its context known and its tests run.";
const MOST_FILES = 5;

/** @throws PalliumError `path_unknown`. */
export function planReport(context: ReportContext, path: string): PlanReport {
  const parts = fileParts(context, path, explainCommand(path));
  const { shared } = parts;
  const files = distinct([path, ...parts.blastRadius]).slice(0, MOST_FILES);
  return {
    path,
    goal: GOAL,
    freshness: shared.freshness,
    evidence: shared.evidence,
    steps: steps(path, files, parts),
    files_to_inspect: files,
    tests_to_run: parts.suggestedTests,
    test_commands: shared.test_commands,
    verification: shared.verification,
    confidence: shared.confidence,
    action_guidance: shared.action_guidance,
    risk: parts.risk,
  };
}

function steps(
  path: string,
  [, ...others]: readonly string[],
  { shared, suggestedTests }: FileParts,
): readonly string[] {
  return [
    `Read what is known of it: ${explainCommand(path)}`,
    others.length > 0
      ? `Look at what the edit may reach: ${others.join(", ")}`
      : "Look for what uses it: nothing was found by imports or history.",
    "Make the smallest edit that does it.",
    shared.verification.fast.length > 0
      ? "Run the tests next to it: pallium verify fast"
      : suggestedTests.length > 0
        ? `Run its tests: ${suggestedTests.join(", ")}`
        : isDocumentation(path)
          ? "Read it once more as its readers will."
          : "Write a test: none was found.",
    "Hold the result against history and scope: pallium review HEAD",
  ];
}
