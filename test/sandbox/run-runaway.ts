/** Runs a runaway and measures from records how long it went on beyond its limit. */
import { readFileSync } from "node:fs";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { startRun } from "../support/runner.ts";
import type { WorkflowHome } from "../support/workflow.ts";
import { FULL, LIMIT_FLAGS, MEMORY_MIB, type Runaway, STALL_SECONDS } from "./runaways.ts";

const SAMPLE_MS = 5;
/** What a runner takes before the script grows, somewhat rounded up. */
const REST_MIB = 70;

export interface StoppedRunaway {
  readonly snapshot: Snapshot;
  readonly exitCode: number;
  /** From when the limit was reached to when the row says that the run was over. */
  readonly lateMs: number;
}

interface Sample {
  readonly at: number;
  readonly mebibytes: number;
}

/**
 * The script says with a phase, whose row has a time, when it begins.
 * @param program is given the arguments of the command line.
 */
export async function stopped(
  home: WorkflowHome,
  { script, code }: Runaway,
  program?: readonly string[],
): Promise<StoppedRunaway> {
  const env = { PALLIUM_WORKFLOW_AGENT_STUB: "{{PROMPT}}" };
  const flags = LIMIT_FLAGS[code];
  const runner = await startRun(home, `phase("begun"); ${script}`, env, flags, program);
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    samples.push({ at: Date.now(), mebibytes: residentMebibytes(runner.pid) });
  }, SAMPLE_MS);
  const [stdout] = await Promise.all([runner.stdout.text(), runner.stderr.text()]);
  const exitCode = await runner.exited;
  clearInterval(sampling);
  const snapshot = JSON.parse(stdout) as Snapshot;
  const endedAt = Date.parse(snapshot.run.completed_at ?? "");
  return { snapshot, exitCode, lateMs: endedAt - limitReachedAt(code, snapshot, samples) };
}

function limitReachedAt(
  code: Runaway["code"],
  snapshot: Snapshot,
  samples: readonly Sample[],
): number {
  switch (code) {
    case "script_stalled":
      return phaseAt(snapshot, "begun") + STALL_SECONDS * 1000;
    case "script_memory":
      return fullAt(samples);
    case "too_many_calls":
      return phaseAt(snapshot, FULL);
  }
}

function phaseAt({ phases }: Snapshot, name: string): number {
  return Date.parse(phases.find((phase) => phase.name === name)?.created_at ?? "");
}

/** When the runner had all the memory it may have, or the most it ever had. */
function fullAt(samples: readonly Sample[]): number {
  const peak = Math.max(0, ...samples.map(({ mebibytes }) => mebibytes));
  const full = Math.min(peak, REST_MIB + MEMORY_MIB);
  return samples.find(({ mebibytes }) => mebibytes >= full)?.at ?? Number.NaN;
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
