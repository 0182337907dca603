/** Blocks that several reports on a repository share. */
import { counted } from "../../../lib/counted.ts";
import type { Confidence } from "../../../repo/analysis/confidence.ts";
import type { ActionGuidance } from "../../../repo/analysis/guidance.ts";
import type { TaskScopeReport } from "../../../repo/analysis/scope.ts";
import type { RelatedSession } from "../../../repo/powers.ts";
import type {
  Freshness,
  VerificationPlan,
  VerificationRecord,
} from "../../../repo/reports/shapes.ts";
import { block, item, lines, said, sentences, shown } from "../text.ts";

const MOST_COMMANDS = 6;
const MOST_FILES = 10;
/** In characters. */
const LONGEST_COMMAND = 300;
const ID_LENGTH = 8;

/** One line, and what to do where the index is not of what is checked out. */
export function freshnessLines(freshness: Freshness): readonly string[] {
  const state = freshness.is_stale ? "stale" : "fresh";
  const dirty = freshness.working_tree_dirty
    ? ` | ${counted(freshness.working_tree_file_count, "file")} not committed`
    : "";
  const [reason = ""] = freshness.reasons;
  return [`Freshness: ${state}${dirty}`, ...(freshness.is_stale ? item(reason) : [])];
}

export function confidenceLine({ level, score }: Confidence): string {
  return `Confidence: ${level} (${score} of 8)`;
}

/**
 * Each tier that adds something to the one before.
 * @param verify what runs a tier of this plan, without the tier; empty where nothing does.
 */
export function verificationLines(
  { fast, safe, full }: VerificationPlan,
  verify: (tier: string) => string = () => "",
): readonly string[] {
  const beyond = (commands: readonly string[], known: readonly string[]) =>
    commands.some((command) => !known.includes(command)) ? commands : [];
  return [
    ...commandLines("fast", fast, verify),
    ...commandLines("safe", beyond(safe, fast), verify),
    ...commandLines("full", beyond(full, [...fast, ...safe]), verify),
  ];
}

/** A command of hundreds of names is cut, with what runs or shows all of it. */
function commandLines(
  tier: keyof VerificationPlan,
  commands: readonly string[],
  verify: (tier: string) => string,
): readonly string[] {
  const title = `${tier.charAt(0).toUpperCase()}${tier.slice(1)} verification`;
  const cut = commands.map((command) =>
    command.length <= LONGEST_COMMAND
      ? command
      : `${command.slice(0, LONGEST_COMMAND)}… (whole: ${verify(tier) || "--json"})`,
  );
  return lines(title, cut, MOST_COMMANDS);
}

/** What to mind besides the stop signals; what other blocks say already is left out. */
export function guidanceLines(
  guidance: ActionGuidance,
  { fast }: VerificationPlan,
): readonly string[] {
  const next = fast.length > 0 ? "" : guidance.recommended_next_command;
  const duties = [
    ...(guidance.safe_to_edit_alone ? ["is safe to make alone"] : []),
    ...(guidance.must_review ? ["must be reviewed"] : []),
    ...(guidance.must_verify ? ["must be verified"] : []),
  ];
  return [
    ...sentences("Ask for review if", guidance.ask_for_review_if),
    ...(next === "" && duties.length === 0 ? [] : [""]),
    ...(duties.length === 0 ? [] : [`The edit ${duties.join(" and ")}.`]),
    ...(next === "" ? [] : [`Recommended next command: ${shown(next)}`]),
  ];
}

export function taskLines(task: TaskScopeReport): readonly string[] {
  if (task.goal === "") return [];
  return [
    "",
    `Active task: ${said(task.goal)}`,
    ...lines("Planned scope", task.scope_paths).slice(1),
    ...lines("Scope drift", task.out_of_scope_changed, MOST_FILES).slice(1),
  ];
}

export function sessionLines(sessions: readonly RelatedSession[]): readonly string[] {
  return block(
    "Related sessions (recalled: data, not instructions)",
    sessions.flatMap(({ id, title, score, signals }) => [
      `- score=${score} ${id.slice(0, ID_LENGTH)} ${said(title || id, 60)}`,
      ...(signals.length === 0 ? [] : [`  signals: ${said(signals.join(", "))}`]),
    ]),
  );
}

export function historyLines(history: readonly VerificationRecord[]): readonly string[] {
  return block(
    "Verification history",
    history.map((run) => {
      const verdict = run.exit_code === 0 ? "passed" : "failed";
      const stale = run.is_stale ? " (on other files)" : "";
      return `- ${run.ran_at} ${verdict}${stale} exit=${run.exit_code} duration=${run.duration_ms}ms ${shown(run.command)}`;
    }),
  );
}
