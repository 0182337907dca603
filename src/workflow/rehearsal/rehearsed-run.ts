/** From what the user typed to what a script is rehearsed with. */
import { resolve } from "node:path";
import { usageError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import { isFile } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { agentEstimate, parseBudget } from "../run/budget.ts";
import { keptLimits, limitsInForce, RUN_DEFAULTS } from "../run/limits.ts";
import { createNestedSources } from "../run/nested-sources.ts";
import { type PlannedRun, planRun } from "../run/request.ts";
import { unpaidSetting } from "../run/unpaid-setting.ts";
import type { RehearsalOptions } from "./rehearse.ts";

export interface RehearsalRequest {
  readonly db?: string;
  /** Path of a script, `/name` of a saved workflow, or a task for the default script. */
  readonly subject?: string;
  /** Path of a script, whatever it is called; `subject` is a task then. */
  readonly script?: string;
  /** Name of a saved workflow. */
  readonly workflow?: string;
  readonly cwd?: string;
  /** JSON text. */
  readonly args?: string;
  readonly max_budget_usd?: string;
  /** Calls that are answered; 1000 without. */
  readonly max_calls?: number;
  /** Items that lists in answers have where their schema leaves it open; 1 without. */
  readonly list_items?: number;
}

/** What rehearsals of one script have in common. */
export interface RehearsedRun {
  readonly plan: PlannedRun;
  /** The same for each rehearsal, but for what it remembers. */
  options(): Omit<RehearsalOptions, "costMicros" | "word" | "choose">;
}

const SCRIPT_FILE = /\.[cm]?[jt]s$/;
const MOST_CALLS = RUN_DEFAULTS.max_agents;
const MOST_ITEMS = 1000;

/** @throws PalliumError as `workflow run` does for a run that cannot begin. */
export async function planRehearsal(
  powers: WorkflowPowers,
  database: Database,
  request: RehearsalRequest,
  observer: Pick<RunObserver, "warn">,
): Promise<RehearsedRun> {
  const { db, subject, max_calls = MOST_CALLS, list_items = 1, ...given } = request;
  if (max_calls < 1) throw usageError("--max-calls must be 1 or more");
  if (list_items < 0 || list_items > MOST_ITEMS) {
    throw usageError(`--list-items must be between 0 and ${MOST_ITEMS}`);
  }
  const plan = await planRun(powers, observer, {
    ...given,
    ...(await subjectOf(powers, subject, given.script ?? given.workflow)),
    // Nothing is started, so that it cannot go on for ever.
    max_depth: Number.MAX_SAFE_INTEGER,
  });
  const { limits, settings } = plan;
  const codexBinary = limits.codex ?? settings.limits.codex ?? "codex";
  return {
    plan,
    options: () => ({
      script: plan.script,
      setting: unpaidSetting(powers, {
        cwd: plan.cwd,
        args: plan.args,
        timeoutSeconds: RUN_DEFAULTS.agent_timeout,
        allowNetwork: false,
        codexBinary,
        settings,
      }),
      sources: createNestedSources(powers, database, { id: "", cwd: plan.cwd }, () => {}),
      limits: limitsInForce(keptLimits(settings.limits, undefined)).script,
      ...optional({
        budgetMicros: parseBudget(request.max_budget_usd ?? settings.limits.max_budget_usd),
      }),
      estimateMicros: agentEstimate({ ...powers.environment.variables, ...settings.variables }),
      mostCalls: max_calls,
      items: list_items,
    }),
  };
}

/** A file is a script, and so is what is called like one. */
async function subjectOf(
  { environment }: WorkflowPowers,
  subject: string | undefined,
  named: string | undefined,
): Promise<{ readonly script?: string; readonly task?: string }> {
  if (subject === undefined || subject === "") {
    if (named !== undefined) return {};
    throw usageError(
      "name a script, a saved workflow with --workflow, or a task",
      "such as: pallium workflow dry-run review.js",
    );
  }
  if (named !== undefined) return { task: subject };
  if (SCRIPT_FILE.test(subject) || (await isFile(resolve(environment.cwd, subject)))) {
    return { script: subject };
  }
  return { task: subject };
}
