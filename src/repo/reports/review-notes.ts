/** What a review says in sentences. */
import { counted } from "../../lib/counted.ts";
import { distinct, type Signal } from "../analysis/guidance.ts";
import type { TaskScopeReport } from "../analysis/scope.ts";
import { isTestFile } from "../analysis/test-files.ts";
import { brokenImportText } from "./broken-imports.ts";
import type { ReportContext } from "./context.ts";
import { missingPartnerText } from "./missing-partners.ts";
import type { ReviewBase } from "./review-base.ts";
import { type Examined, MOST_LOOKED_AT } from "./review-files.ts";
import type { SecretsFound } from "./review-secrets.ts";
import type { BrokenImport, FoundSecret, MissingPartner } from "./shapes.ts";
import { standingFailures } from "./verification-history.ts";
import type { ShownPlan } from "./verification-plan.ts";

const MOST_NOTES = 10;
const MOST_NAMED = 3;

/** What was found on a change. */
export interface Change {
  readonly base: ReviewBase;
  readonly files: readonly Examined[];
  readonly task: TaskScopeReport;
  readonly found: SecretsFound;
  readonly missing: readonly MissingPartner[];
  readonly broken: readonly BrokenImport[];
  readonly plan: ShownPlan;
}

/** What speaks for a halt beyond what the files themselves say. */
export function reviewSignals(
  { verification }: ReportContext,
  { task, found }: Change,
): readonly Signal[] {
  return [
    ...standingFailures(verification).map(({ text, command }) => ({
      kind: "verification-failed" as const,
      text,
      ask: `${command} goes on failing`,
    })),
    ...(found.secrets.length === 0
      ? []
      : [
          {
            kind: "secret" as const,
            text: secretText(found.secrets),
            ask: "a secret has left the machine already",
          },
        ]),
    ...(task.has_scope_drift
      ? [
          {
            kind: "scope-drift" as const,
            text: driftText(task),
            ask: "the task needs files outside its scope",
          },
        ]
      : []),
  ];
}

function secretText(secrets: readonly FoundSecret[]): string {
  const [first] = secrets;
  return `${counted(secrets.length, "possible secret")} in the change: ${first?.file}:${first?.line} (${first?.rule}).`;
}

function driftText({ out_of_scope_changed: outside }: TaskScopeReport): string {
  return `${counted(outside.length, "file")} changed outside the scope of the task: ${named(outside)}.`;
}

function named(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED;
  const some = paths.slice(0, MOST_NAMED).join(", ");
  return rest > 0 ? `${some} and ${rest} more` : some;
}

/** What is worth a sentence, the gravest first. */
export function reviewNotes(context: ReportContext, change: Change): readonly string[] {
  const { base, files, task, found, missing, broken } = change;
  const deletedTests = files
    .filter(({ touched }) => touched.status === "D" && isTestFile(touched.path))
    .map(({ touched }) => touched.path);
  const conflicts = context.changes.filter(({ status }) => /U|^AA$|^DD$/.test(status));
  const far = files.length - MOST_LOOKED_AT;
  return distinct([
    ...standingFailures(context.verification).map(({ text }) => text),
    ...(found.secrets.length > 0 ? [secretText(found.secrets)] : []),
    ...(conflicts.length > 0
      ? [`Conflicts of a merge are left in: ${named(conflicts.map(({ path }) => path))}.`]
      : []),
    ...(task.has_scope_drift ? [driftText(task)] : []),
    ...broken.slice(0, MOST_NAMED).map(brokenImportText),
    ...base.notes,
    ...(context.freshness.is_stale ? context.freshness.reasons.slice(0, 1) : []),
    ...missing.slice(0, MOST_NAMED).map(missingPartnerText),
    ...(deletedTests.length > 0 ? [`Tests were deleted: ${named(deletedTests)}.`] : []),
    ...(far > 0
      ? [
          `Only the ${MOST_LOOKED_AT} most important of ${files.length} files were looked at closely.`,
        ]
      : []),
    ...found.notes,
  ]).slice(0, MOST_NOTES);
}
