/** What to do next, and what speaks against going on. */
import type { BoundaryWarning } from "./boundaries.ts";
import type { Confidence } from "./confidence.ts";
import type { RiskLevel } from "./risk.ts";

export interface ActionGuidance {
  readonly inspect_first: readonly string[];
  readonly run_next: readonly string[];
  readonly recommended_next_command: string;
  readonly safe_to_edit_alone: boolean;
  readonly must_review: boolean;
  readonly must_verify: boolean;
  readonly ask_for_review_if: readonly string[];
  /** The most important first. */
  readonly stop_signals: readonly string[];
  readonly confidence_gaps: readonly string[];
  readonly boundary_warnings: readonly BoundaryWarning[];
}

/** What speaks for a halt, the gravest first. */
export const SIGNALS = [
  "verification-failed",
  "secret",
  "scope-drift",
  "high-risk",
  "boundary",
  "wide-use",
  "no-command",
  "low-confidence",
] as const;

export interface Signal {
  readonly kind: (typeof SIGNALS)[number];
  readonly text: string;
  /** When to ask somebody else. */
  readonly ask?: string;
}

export interface GuidanceInput {
  readonly level: RiskLevel;
  /** The most telling reason of a high risk. */
  readonly riskReason?: string;
  /** Boundaries at which the files themselves lie. */
  readonly boundaries: readonly BoundaryWarning[];
  /** How many files use what is edited. */
  readonly users: number;
  /** The file that they use, where several are edited. */
  readonly used?: string;
  /** Files that nearly always change with it. */
  readonly usualPartners: readonly string[];
  readonly inspect: readonly string[];
  readonly hasLinks: boolean;
  readonly confidence: Confidence;
  /** Commands of the fast tier. */
  readonly fast: readonly string[];
  /** What to run where there are no commands. */
  readonly otherwise: string;
  /** False for what no test could say anything of, such as a document, or no change at all. */
  readonly isTestable?: boolean;
  /** Whether something has passed on the files as they are. */
  readonly isVerified?: boolean;
  /** More of them than follow from the above. */
  readonly signals?: readonly Signal[];
}

/** So many files that use one make every edit of it a matter of others. */
const MANY_USERS = 10;
/** An edit that reaches more files is not made alone. */
const FEW_USERS = 2;
const MOST = { inspect: 4, run: 3, ask: 4, signals: 5, gaps: 4 };
const ASKS_FOR_REVIEW: readonly Signal["kind"][] = [
  "verification-failed",
  "secret",
  "scope-drift",
  "high-risk",
  "boundary",
  "wide-use",
];

export function guidance(input: GuidanceInput): ActionGuidance {
  const signals = [...(input.signals ?? []), ...ownSignals(input)].sort(
    (a, b) => SIGNALS.indexOf(a.kind) - SIGNALS.indexOf(b.kind),
  );
  const mustReview = signals.some(({ kind }) => ASKS_FOR_REVIEW.includes(kind));
  const run = distinct([...input.fast, input.otherwise]);
  return {
    inspect_first: distinct(input.inspect).slice(0, MOST.inspect),
    run_next: run.slice(0, MOST.run),
    recommended_next_command: run[0] ?? "",
    safe_to_edit_alone: isSafeAlone(input, signals.length > 0),
    must_review: mustReview,
    must_verify: input.fast.length > 0 || input.level !== "low" || input.boundaries.length > 0,
    ask_for_review_if: distinct(signals.map(({ ask = "" }) => ask)).slice(0, MOST.ask),
    stop_signals: distinct(signals.map(({ text }) => text)).slice(0, MOST.signals),
    confidence_gaps: gaps(input).slice(0, MOST.gaps),
    boundary_warnings: input.boundaries,
  };
}

function ownSignals(input: GuidanceInput): readonly Signal[] {
  const signals: Signal[] = [];
  if (input.level === "high") {
    signals.push({
      kind: "high-risk",
      text: `High risk: ${input.riskReason ?? "an edit here breaks something more often than elsewhere"}.`,
      ask: "the edit changes behaviour of a high-risk file",
    });
  }
  for (const { label, reason } of input.boundaries) {
    signals.push({
      kind: "boundary",
      text: `Boundary ${label}: ${reason}.`,
      ask: `the edit changes what holds at the ${label} boundary`,
    });
  }
  if (input.users >= MANY_USERS) {
    signals.push({
      kind: "wide-use",
      text: `${input.users} files use ${input.used ?? "it"}.`,
      ask: `the edit changes what the ${input.users} users of ${input.used ?? "the file"} rely on`,
    });
  }
  if (input.fast.length === 0 && input.isTestable !== false) {
    signals.push({ kind: "no-command", text: "No fast verification command is known." });
  }
  if (input.confidence.level === "low" && input.isTestable !== false) {
    signals.push({ kind: "low-confidence", text: "Little is known here: confidence is low." });
  }
  return signals;
}

function isSafeAlone({ level, users, usualPartners }: GuidanceInput, isWarned: boolean): boolean {
  return level === "low" && !isWarned && users <= FEW_USERS && usualPartners.length === 0;
}

function gaps(input: GuidanceInput): readonly string[] {
  const { confidence, hasLinks, fast, isVerified = true, isTestable = true } = input;
  return [
    ...confidence.reasons.filter((reason) => reason.includes("new or outside indexed history")),
    ...(hasLinks ? [] : ["No structural links were found."]),
    ...(fast.length > 0 || !isTestable ? [] : ["No fast verification command is known."]),
    ...(isVerified ? [] : ["No verification of the files as they are is on record."]),
  ];
}

/** Each once, in order, without empty ones. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== ""))];
}
