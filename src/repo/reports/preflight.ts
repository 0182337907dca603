/** What a workflow has to know before its agents begin. */
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import { evidenceOf } from "../analysis/evidence.ts";
import { distinct } from "../analysis/guidance.ts";
import { createScope, parseScope, type ScopeBase, taskScopeReport } from "../analysis/scope.ts";
import type { RepoView } from "../analysis/view.ts";
import { changedNowReport } from "./changed-now.ts";
import type { ReportContext } from "./context.ts";
import { safeReport } from "./safe.ts";
import type { PreflightReport, SafeReport, VerificationPlan } from "./shapes.ts";

export interface PreflightInput {
  readonly task: string;
  /** As the user wrote it: files, folders, globs. */
  readonly scope: readonly string[];
  readonly base: ScopeBase;
}

const MOST = { scope: 12, inspect: 16, commands: 10, tier: 8 };
/** Of a folder or glob so many files are looked at, the riskiest. */
const FILES_OF_FOLDER = 3;

/** @throws PalliumError `scope_empty`, `scope_outside`. */
export function preflightReport(context: ReportContext, input: PreflightInput): PreflightReport {
  const asked = input.scope.length === 0 ? [] : parseScope(input.scope, input.base);
  const changed = [...context.changes.map(({ path }) => path)].sort();
  const all = distinct([...asked, ...changed]);
  const scope = all.slice(0, MOST.scope);
  const files = filesOf(context, scope);
  const looked = files.map((path) => lookAt(context, path));
  const safe = looked.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const inspect = distinct([...files, ...safe.flatMap(({ blast_radius }) => blast_radius)]);
  const verification = mergedPlan(safe);
  const commands = distinct(safe.flatMap(({ test_commands }) => test_commands));
  const isIndexed = context.freshness.index_status === "indexed";
  const tests = commands.length > 0 || isIndexed ? commands : ["pallium index"];
  const taskScope = taskScopeReport(context.task, scope);
  return {
    task: input.task,
    summary: summary(scope.length, safe),
    scope_paths: scope,
    changed_now: changedNowReport(context),
    safe,
    risk_summary: looked.map(({ line }) => line).slice(0, MOST.scope),
    files_to_inspect: inspect.slice(0, MOST.inspect),
    test_commands: tests.slice(0, MOST.commands),
    verification,
    agent_instructions: instructions(taskScope.has_scope_drift),
    next_actions: nextActions(tests, asked.length === 0 && changed.length === 0),
    freshness: context.freshness,
    evidence: evidenceOf({
      commits: safe.reduce((sum, { risk }) => sum + risk.churn_score, 0),
      links: files.reduce((sum, path) => sum + context.factsOf(path).links.length, 0),
      tests: safe.reduce((sum, { suggested_tests }) => sum + suggested_tests.length, 0),
      commands: commands.length,
      changedFiles: context.changes.length,
      hasTask: taskScope.goal !== "",
    }),
    task_scope: taskScope,
    notes: [
      ...leftOut("scope", all.length, MOST.scope),
      ...leftOut("files to inspect", inspect.length, MOST.inspect),
      ...leftOut("test commands", tests.length, MOST.commands),
    ],
  };
}

function leftOut(what: string, count: number, most: number): readonly string[] {
  return count > most ? [`${what}: the first ${most} of ${count} are listed`] : [];
}

/** Files as they are named, also those yet to be made; of folders and globs the riskiest. */
function filesOf({ view }: ReportContext, scope: readonly string[]): readonly string[] {
  const isInScope = createScope(scope);
  const files = scope
    .filter((entry) => !entry.startsWith("!"))
    .flatMap((entry) => {
      if (view.files.paths.has(entry)) return [entry];
      const below = riskiestIn(view, createScope([entry])).filter(isInScope);
      return below.length > 0 ? below.slice(0, FILES_OF_FOLDER) : [entry];
    });
  return distinct(files).slice(0, MOST.scope);
}

function riskiestIn(
  { index, files }: RepoView,
  isMember: (path: string) => boolean,
): readonly string[] {
  const ranked = index.all<{ path: string }>(
    "SELECT path FROM files WHERE blob IS NOT NULL ORDER BY risk DESC, path",
  );
  const known = new Set(ranked.map(({ path }) => path));
  const fresh = [...files.paths].filter((path) => !known.has(path)).sort();
  return [...known, ...fresh].filter((path) => files.paths.has(path) && isMember(path));
}

interface Looked {
  readonly line: string;
  readonly report?: SafeReport;
}

function lookAt(context: ReportContext, path: string): Looked {
  if (context.freshness.index_status === "missing") {
    return { line: `${path}: unknown risk, the repository has not been indexed` };
  }
  try {
    const report = safeReport(context, path);
    return { report, line: `${path}: ${report.risk.level} risk, ${report.verdict}` };
  } catch (error) {
    if (!(error instanceof PalliumError && error.code === "path_unknown")) throw error;
    return { line: `${path}: no such file yet` };
  }
}

function mergedPlan(reports: readonly SafeReport[]): VerificationPlan {
  const tier = (name: keyof VerificationPlan) =>
    distinct(reports.flatMap(({ verification }) => verification[name])).slice(0, MOST.tier);
  return { fast: tier("fast"), safe: tier("safe"), full: tier("full") };
}

function summary(entries: number, safe: readonly SafeReport[]): string {
  if (entries === 0)
    return "No scope was named and nothing changed: there is nothing to check yet.";
  const high = safe.filter(({ risk }) => risk.level === "high").length;
  const risk = high === 0 ? "none is high-risk" : `${counted(high, "is", "are")} high-risk`;
  return `${counted(safe.length, "file")} looked at in ${counted(entries, "scope entry", "scope entries")}; ${risk}.`;
}

const INSTRUCTIONS = [
  "Read the files to inspect before the first edit.",
  "Keep edits inside the scope; say so before you leave it.",
  "Run the test commands after each edit, and report what failed as it is.",
];

function instructions(hasDrift: boolean): readonly string[] {
  if (!hasDrift) return INSTRUCTIONS;
  return [
    ...INSTRUCTIONS,
    "Part of the scope lies outside the active task: ask before editing it.",
  ];
}

function nextActions([command]: readonly string[], isEmpty: boolean): readonly string[] {
  return [
    "Validate the workflow script before it runs: pallium workflow validate <script>",
    ...(command === undefined ? [] : [`Know where you start from: ${command}`]),
    ...(isEmpty
      ? ['Name what the work is about: pallium workflow preflight "<task>" --scope <path>']
      : []),
  ];
}
