/** Runs a runaway and measures from records how long it went on beyond its limit. */
import { readFileSync } from "node:fs";
import { OPEN_CALL_LIMIT } from "../../src/workflow/engine/protocol.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { startRun } from "../support/runner.ts";
import { type WorkflowHome, workflowHome } from "../support/workflow.ts";
import { LIMIT_FLAGS, MEMORY_MIB, type Runaway, STALL_SECONDS } from "./runaways.ts";

const SAMPLE_MS = 5;
/** What a runner takes before the script grows, somewhat rounded up. */
const REST_MIB = 70;

interface Execution {
  readonly snapshot: Snapshot;
  readonly exitCode: number;
  /** From when the script began to when the row says that the run was over. */
  readonly tookMs: number;
  /** From when the runner had most memory, or all it may have, to the same. */
  readonly afterPeakMs: number;
}

export interface StoppedRunaway extends Execution {
  /** From when the limit was reached to the end of the run. */
  readonly lateMs: number;
}

/** @param program is given the arguments of the command line. */
export async function stopped(
  home: WorkflowHome,
  { script, code }: Pick<Runaway, "script" | "code">,
  program?: readonly string[],
): Promise<StoppedRunaway> {
  const execution = await executed(home, script, LIMIT_FLAGS[code], program);
  return { ...execution, lateMs: await lateMs(execution, code, program) };
}

async function lateMs(
  { tookMs, afterPeakMs }: Execution,
  code: Runaway["code"],
  program: readonly string[] | undefined,
): Promise<number> {
  switch (code) {
    case "script_stalled":
      return tookMs - STALL_SECONDS * 1000;
    case "script_memory":
      return afterPeakMs;
    case "too_many_calls":
      return tookMs - (await mostCallsMs(program));
  }
}

/** What a script takes that makes as many calls as one may. */
async function mostCallsMs(program: readonly string[] | undefined): Promise<number> {
  await using home = await workflowHome();
  const script = `for (let i = 0; i < ${OPEN_CALL_LIMIT}; i++) agent("call " + i).catch(() => {});`;
  return (await executed(home, script, LIMIT_FLAGS.too_many_calls, program)).tookMs;
}

/** The script says with a phase, whose row has a time, when it begins. */
async function executed(
  home: WorkflowHome,
  script: string,
  flags: readonly string[],
  program: readonly string[] | undefined,
): Promise<Execution> {
  const env = { PALLIUM_WORKFLOW_AGENT_STUB: "{{PROMPT}}" };
  const runner = await startRun(home, `phase("begun"); ${script}`, env, flags, program);
  const samples: { readonly at: number; readonly mebibytes: number }[] = [];
  const sampling = setInterval(() => {
    samples.push({ at: Date.now(), mebibytes: residentMebibytes(runner.pid) });
  }, SAMPLE_MS);
  const [stdout] = await Promise.all([runner.stdout.text(), runner.stderr.text()]);
  const exitCode = await runner.exited;
  clearInterval(sampling);
  const snapshot = JSON.parse(stdout) as Snapshot;
  const endedAt = Date.parse(snapshot.run.completed_at ?? "");
  const begun = snapshot.phases.find(({ name }) => name === "begun")?.created_at ?? "";
  const peak = Math.max(0, ...samples.map(({ mebibytes }) => mebibytes));
  const full = Math.min(peak, REST_MIB + MEMORY_MIB);
  const fullAt = samples.find(({ mebibytes }) => mebibytes >= full)?.at ?? Number.NaN;
  return { snapshot, exitCode, tookMs: endedAt - Date.parse(begun), afterPeakMs: endedAt - fullAt };
}

/** Memory of a living process; 0 for one that has ended. */
function residentMebibytes(pid: number): number {
  try {
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
