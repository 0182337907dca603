/**
 * `resume --plan`: runs the script against the journal alone. Nothing is spent and nothing is
 * written; where the journal has no answer, that branch of the script ends.
 */
import { resolve } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { toDollars } from "../../lib/money.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { CallSetting } from "../calls/execution.ts";
import type { BudgetView } from "../engine/protocol.ts";
import type { ScriptOutcome } from "../engine/script-host.ts";
import type { WorkflowPowers } from "../powers.ts";
import { settingsFor } from "../settings/in-force.ts";
import { parseBudget } from "./budget.ts";
import { readCallRecords } from "./call-records.ts";
import { assertNotCollected } from "./collected.ts";
import { createJournalAnswers, type MadeCall } from "./journal-answers.ts";
import { limitsInForce } from "./limits.ts";
import { explainMisses } from "./miss-reasons.ts";
import { createNestedSources } from "./nested-sources.ts";
import { assertNotFromGo } from "./origin.ts";
import { byOrder, planScripts } from "./plan-scripts.ts";
import { readScript, scriptSource } from "./request.ts";
import { readUsage } from "./resume-state.ts";
import { positioned } from "./script-errors.ts";
import { type RunRow, requireArtifact, requireRun } from "./store.ts";
import { unpaidSetting } from "./unpaid-setting.ts";

const PREVIEW_LENGTH = 80;

export interface ResumePlanRequest {
  readonly db?: string;
  readonly id: string;
  /** Path of a script to plan with in the place of the stored one. */
  readonly script?: string;
}

export interface PlannedCall {
  readonly scope: string;
  readonly label: string;
  readonly prompt_preview: string;
  /** Its answer is there; its process is, or was left by a dead runner; it would be run. */
  readonly result: MadeCall["result"];
  /** Of a miss. */
  readonly reason?: string;
}

export interface ResumePlan {
  readonly id: string;
  readonly script_changed: boolean;
  /** In the order in which the script makes them. */
  readonly calls: readonly PlannedCall[];
  /** Recorded calls that are not among them. */
  readonly not_reached: readonly { readonly label: string; readonly scope: string }[];
  readonly hits: number;
  readonly adopts: number;
  readonly misses: number;
  /** Why the script would fail, as far as the journal leads it. */
  readonly error?: string;
}

/** @throws PalliumError `run_not_found`, `run_collected`, `script_not_found`, or for a script that is none. */
export async function planResumption(
  powers: WorkflowPowers,
  database: Database,
  request: ResumePlanRequest,
): Promise<ResumePlan> {
  const row = requireRun(database, request.id);
  assertNotCollected(row, "resumed");
  assertNotFromGo(row, "resumed");
  const script =
    request.script === undefined
      ? await scriptSource(requireArtifact(database, row.script_artifact), row.script_name)
      : await readScript(resolve(powers.environment.cwd, request.script));
  const made: MadeCall[] = [];
  const budget = budgetView(database, row);
  const sources = createNestedSources(powers, database, row, () => {});
  const outcome = await planScripts(
    {
      workerEntry: powers.scriptWorker,
      limits: limitsInForce(row.limits_json).script,
      budget: () => budget,
      sources,
      answers: createJournalAnswers(powers, database, row.id, (call) => made.push(call)),
    },
    await settingOf(powers, row),
    script,
  );
  return {
    id: row.id,
    script_changed: script.hash !== row.script_hash || (await sources.anyChanged()),
    ...report(database, row.id, made),
    ...failure(outcome, made),
  };
}

async function settingOf(powers: WorkflowPowers, row: RunRow): Promise<CallSetting> {
  return unpaidSetting(powers, {
    cwd: row.cwd,
    args: row.args_json === null ? null : (parseJson(row.args_json) ?? null),
    timeoutSeconds: row.agent_timeout_seconds,
    allowNetwork: row.allow_network === 1,
    codexBinary: row.codex_binary,
    settings: await settingsFor(powers, row.cwd, () => {}),
  });
}

function budgetView(database: Database, row: RunRow): BudgetView {
  const limit = parseBudget(row.max_budget_usd ?? undefined);
  return {
    total: limit === undefined ? null : toDollars(limit),
    spent: toDollars(readUsage(database, row.id).spentMicros),
  };
}

function report(
  database: Database,
  runId: string,
  made: MadeCall[],
): Pick<ResumePlan, "calls" | "not_reached" | "hits" | "adopts" | "misses"> {
  const calls = made.toSorted((a, b) => byOrder(a.order, b.order));
  const taken = new Set(calls.map(({ callId }) => callId));
  const missed = calls.filter(({ result }) => result === "miss");
  const { reasons, rest } = explainMisses(
    missed,
    readCallRecords(database, runId).filter(({ callId }) => !taken.has(callId)),
    (hash) => readPrompt(database, hash),
  );
  const count = (wanted: MadeCall["result"]) =>
    calls.filter(({ result }) => result === wanted).length;
  return {
    calls: calls.map((call) => {
      const reason = reasons.get(call);
      return {
        scope: call.identity.scope,
        label: call.traits.label,
        prompt_preview: oneLine(call.prompt, PREVIEW_LENGTH),
        result: call.result,
        ...(reason === undefined ? {} : { reason }),
      };
    }),
    not_reached: rest.map(({ traits, identity }) => ({
      label: traits.label,
      scope: identity.scope,
    })),
    hits: count("hit"),
    adopts: count("adopt"),
    misses: count("miss"),
  };
}

function readPrompt(database: Database, hash: string): string {
  const sql = "SELECT body FROM workflow_artifacts WHERE hash = ?";
  return database.get<{ body: string }>(sql, hash)?.body ?? "";
}

/** A script that waits for what the journal lacks has nothing else to wait for: that is no failure. */
function failure(outcome: ScriptOutcome, made: readonly MadeCall[]): { error?: string } {
  const waits = made.some(({ result }) => result !== "hit");
  if (waits && outcome.kind === "failed" && outcome.error.code === "deadlock") return {};
  if (outcome.kind === "returned") return {};
  if (outcome.kind === "failed") return { error: positioned(outcome.error) };
  return { error: `script ${outcome.kind}` };
}
