/** What to do about a run that did not complete. Pure. */
import { shellQuote } from "../../repo/verification/display.ts";
import type { RunRecord } from "./types.ts";

/** Commands that name the store where it is not the user's own. */
function command(run: Pick<RunRecord, "id">, verb: string, db: string | undefined): string {
  return `pallium workflow ${verb} ${run.id}${db === undefined ? "" : ` --db ${db}`}`;
}

/** The commands that decide a gate of a run. */
export function gateCommands(
  run: Pick<RunRecord, "id">,
  name: string,
  db: string | undefined,
): string[] {
  const rest = `${run.id} ${shellQuote(name)}${db === undefined ? "" : ` --db ${db}`}`;
  return ["approve", "reject"].map((verb) => `pallium workflow gate ${verb} ${rest}`);
}

/** The command that applies what a run edited. */
export function applyCommand(run: Pick<RunRecord, "id">, db: string | undefined): string {
  return command(run, "apply", db);
}

/** The command that takes back what of it is applied. */
export function revertCommand(run: Pick<RunRecord, "id">, db: string | undefined): string {
  return command(run, "revert", db);
}

/** Next steps for the error of a run, the most useful first. */
export function nextSteps(run: RunRecord, db: string | undefined): string[] {
  const resume = command(run, "resume", db);
  switch (run.error_code) {
    case "budget_exhausted":
      return [
        `finished calls are kept; allow more: ${resume} --max-budget-usd <amount>, or --max-tokens <n>`,
      ];
    case "provider_quota":
      return [
        `go on${run.resume_after === undefined ? "" : ` after ${run.resume_after}`}: ${resume}`,
        `or wait for it: ${resume} --resume-after-quota`,
        `or name who stands in: ${resume} --fallback codex,claude`,
      ];
    case "max_agents":
      return [`finished calls are kept; allow more: ${resume} --max-agents <n>`];
    case "provider_not_configured":
    case "provider_not_installed":
      return [
        "install codex or claude, or choose a provider: export PALLIUM_WORKFLOW_PROVIDER=<name>",
        `then go on: ${resume}`,
      ];
    case "gate_rejected":
      return [
        `see the gates and why they were rejected: ${command(run, "gate list", db)}`,
        `have one asked again by the next resume: ${command(run, "gate reopen", db)} <name>`,
      ];
    case "checkout_conflict":
    case "edits_raced":
      return [
        `commit or move away what is in the way, then: ${applyCommand(run, db)}`,
        `or have the edits on a branch: ${applyCommand(run, db)} --branch <name>`,
      ];
    case "secret_in_patch":
      return [
        `see what was found: ${command(run, "secrets", db)}`,
        `where it is none: PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH=1 ${applyCommand(run, db)}`,
        `or have it taken out by an edited script: pallium workflow run --id ${run.id} --script <path>`,
      ];
    case "not_in_this_version":
      return ["see what scripts can call: pallium workflow tools list"];
    case "workflow_paused":
    case "workflow_stopped":
      return [`go on: ${resume}`];
    case "every_agent_failed":
    case "strict_failures":
      return [`see why: ${command(run, "inspect", db)}`, `run the failed calls again: ${resume}`];
    default:
      return [
        `see what happened: ${command(run, "inspect", db)}`,
        `go on with the same script: ${resume}`,
        `or with an edited one: pallium workflow run --id ${run.id} --script <path>`,
      ];
  }
}
