/** What `explain`, `safe` and `plan` of a file share. */
import { boundaryWarnings } from "../analysis/boundaries.ts";
import { type Confidence, fileConfidence } from "../analysis/confidence.ts";
import { type Evidence, evidenceOf } from "../analysis/evidence.ts";
import { type ActionGuidance, distinct, guidance } from "../analysis/guidance.ts";
import type { RiskLevel, RiskReport } from "../analysis/risk.ts";
import { pathUnknown } from "../paths.ts";
import { shellQuote } from "../verification/display.ts";
import { isDocumentation, wantsTest } from "../verification/documentation.ts";
import { hasPassed } from "../verification/records.ts";
import type { ReportContext } from "./context.ts";
import type { FileFacts } from "./facts.ts";
import type { Freshness, VerificationPlan } from "./shapes.ts";
import { showPlan } from "./verification-plan.ts";

/** The parts of a report on a file. */
export interface FileParts {
  /** How risky an edit is: low for a document, whatever its history. */
  readonly level: RiskLevel;
  readonly facts: FileFacts;
  readonly risk: RiskReport;
  readonly suggestedTests: readonly string[];
  readonly blastRadius: readonly string[];
  readonly shared: {
    readonly freshness: Freshness;
    readonly evidence: Evidence;
    readonly test_commands: readonly string[];
    readonly verification: VerificationPlan;
    readonly confidence: Confidence;
    readonly action_guidance: ActionGuidance;
    readonly risk: RiskReport;
  };
}

const MOST_TESTS = 5;
const MOST_REACHED = 6;

/**
 * @param otherwise what to run next where no command is known.
 * @throws PalliumError `path_unknown`.
 */
export function fileParts(context: ReportContext, path: string, otherwise: string): FileParts {
  const { freshness } = context;
  const facts = context.factsOf(path);
  const { risk } = facts;
  if (risk === undefined) throw pathUnknown(path);
  const blast = facts.blastRadius(MOST_REACHED);
  const plan = showPlan(
    context.plan(
      [path],
      facts.tests.map((test) => test.path),
    ),
  );
  const confidence = fileConfidence(facts.known, freshness.is_stale);
  const evidence = evidenceOf({
    commits: facts.commits,
    links: facts.links.length,
    tests: facts.tests.length,
    commands: plan.commands,
    changedFiles: context.changes.length,
    hasTask: false,
  });
  const level = isDocumentation(path) ? "low" : risk.level;
  const action = guidance({
    level,
    isTestable: wantsTest(path),
    ...firstReason(risk.reasons),
    boundaries: boundaryWarnings([path]),
    users: facts.usedBy.length,
    usualPartners: facts.usualPartners.map((partner) => partner.path),
    inspect: distinct([...blast, ...facts.links.map((link) => link.path)]),
    hasLinks: facts.links.length > 0,
    confidence,
    fast: plan.verification.fast,
    otherwise,
    isVerified: context.verification.standing.some(hasPassed),
  });
  return {
    level,
    facts,
    risk,
    suggestedTests: facts.tests.slice(0, MOST_TESTS).map((test) => test.path),
    blastRadius: blast,
    shared: {
      freshness,
      evidence,
      test_commands: plan.test_commands,
      verification: plan.verification,
      confidence,
      action_guidance: action,
      risk,
    },
  };
}

/** The strongest reason of a risk as guidance takes it; nothing where there is none. */
export function firstReason([reason]: readonly string[]): { readonly riskReason?: string } {
  return reason === undefined ? {} : { riskReason: reason };
}

/** The command that tells more of a file, as a line to paste at the root of the repository. */
export function explainCommand(path: string): string {
  return `pallium explain ${path.startsWith("-") ? "-- " : ""}${shellQuote(path)}`;
}
