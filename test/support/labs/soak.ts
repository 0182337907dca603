/** Random runs, kills, stops, pauses and resumes in one store, for as long as is asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type WorkflowHome, workflowHome } from "../workflow.ts";
import { integrityViolations } from "./integrity.ts";
import { completed, type LabRunner, labRun, orphansOf } from "./lab-run.ts";
import { FORTY_CALLS, TEN_CALLS } from "./scripts.ts";

const SAMPLE_MS = 50;
/** Longest time until a run is disturbed. */
const LONGEST_MS = 1500;
const MOST_DISTURBANCES = 4;

type Disturbance = "kill" | "stop" | "pause" | "none";
const DISTURBANCES: readonly Disturbance[] = ["kill", "stop", "pause", "none"];

export interface SoakReport {
  readonly runs: number;
  readonly counts: Readonly<Record<Disturbance, number>>;
  /** Most memory a runner had resident, in MB, for each run in turn. */
  readonly peakMegabytes: readonly number[];
  readonly violations: readonly string[];
}

/** @param tell is called after every run. */
export async function soak(
  durationMs: number,
  tell: (report: SoakReport) => void = () => {},
): Promise<SoakReport> {
  await using home = await workflowHome();
  const counts = { kill: 0, stop: 0, pause: 0, none: 0 };
  const peakMegabytes: number[] = [];
  const violations: string[] = [];
  const report = () => ({ runs: peakMegabytes.length, counts, peakMegabytes, violations });
  const deadline = performance.now() + durationMs;
  while (performance.now() < deadline) {
    const id = `soak-${process.pid}-${peakMegabytes.length}`;
    const { peak, failures } = await soakRun(home, id, counts);
    peakMegabytes.push(peak);
    violations.push(...failures.map((text) => `${id}: ${text}`));
    tell(report());
  }
  violations.push(...integrityViolations(join(home.directory, ".pallium", "pallium.sqlite")));
  return report();
}

async function soakRun(home: WorkflowHome, id: string, counts: Record<Disturbance, number>) {
  const run = await labRun(home, id, Math.random() < 0.5 ? TEN_CALLS : FORTY_CALLS);
  let peak = 0;
  const watched = async (runner: LabRunner) => {
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMegabytes(runner.pid));
    }, SAMPLE_MS);
    await runner.exited.finally(() => clearInterval(watch));
  };
  for (let times = Math.floor(Math.random() * MOST_DISTURBANCES); times > 0; times -= 1) {
    const disturbance = DISTURBANCES[Math.floor(Math.random() * DISTURBANCES.length)] ?? "none";
    counts[disturbance] += 1;
    const runner = run.start();
    const end = watched(runner);
    if (disturbance !== "none") {
      await Promise.race([end, Bun.sleep(Math.random() * LONGEST_MS)]);
      if (disturbance === "kill") runner.kill("SIGKILL");
      else if (run.isClaimed()) await home.pallium(["workflow", disturbance, id]);
    }
    await end;
  }
  const last = run.start();
  const [failures] = await Promise.all([completed(last), watched(last)]);
  const orphans = orphansOf(id).map((pid) => `process ${pid} is left`);
  return { peak, failures: [...failures, ...orphans] };
}

/** Memory of a living process; 0 for one that has ended. */
function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
