/**
 * Kills the runner of a run with SIGKILL at random moments, resumes it until it completes, and looks
 * at what became of its calls.
 *
 * What may be started twice: nothing whose process began. A call that was `started` in the journal
 * and whose process had not been spawned at the kill is started by the next runner, under a new row.
 * The processes of calls lead sessions of their own, so that no kill of the runner ends one: each is
 * either waited for or found ended, and its ledger of starts must read as that of a run that nobody
 * disturbed.
 */
import { workflowHome } from "../workflow.ts";
import { completed, type LabRun, labRun } from "./lab-run.ts";
import { FORTY_CALLS } from "./scripts.ts";

/** Most kills of one run; after the last it is left in peace. */
const MOST_KILLS_OF_A_RUN = 6;

export interface LabReport {
  readonly kills: number;
  readonly runs: number;
  /** Kills before the run was claimed, and kills of a resume. */
  readonly early: number;
  readonly resumes: number;
  readonly violations: readonly string[];
}

/** @param tell is called after every run. */
export async function killLab(
  kills: number,
  tell: (report: LabReport) => void = () => {},
): Promise<LabReport> {
  const calm = await undisturbed();
  const pace: Pace = { longestMs: calm.durationMs };
  let report: LabReport = { kills: 0, runs: 0, early: 0, resumes: 0, violations: calm.violations };
  while (report.kills < kills) {
    report = sum(report, await killedRun(report.runs, kills - report.kills, calm.result, pace));
    tell(report);
  }
  return report;
}

interface Calm {
  readonly result: string;
  readonly durationMs: number;
  readonly violations: readonly string[];
}

/** The span in which moments are chosen: it follows the machine, which others may keep busy. */
interface Pace {
  longestMs: number;
}

async function undisturbed(): Promise<Calm> {
  await using home = await workflowHome();
  const run = await labRun(home, `calm-${process.pid}`, FORTY_CALLS);
  const start = performance.now();
  const failure = await completed(run.start());
  const durationMs = performance.now() - start;
  return { result: run.result(), durationMs, violations: [...failure, ...run.violations()] };
}

async function killedRun(
  number: number,
  most: number,
  result: string,
  pace: Pace,
): Promise<LabReport> {
  await using home = await workflowHome();
  const run = await labRun(home, `lab-${process.pid}-${number}`, FORTY_CALLS);
  const wanted = Math.min(most, 1 + Math.floor(Math.random() * MOST_KILLS_OF_A_RUN));
  const counts = { kills: 0, early: 0, resumes: 0 };
  for (let attempt = 0; attempt < wanted; attempt += 1) {
    const before = run.isClaimed();
    if (!(await killAtRandom(run, pace))) break;
    counts.kills += 1;
    if (!run.isClaimed()) counts.early += 1;
    if (before) counts.resumes += 1;
  }
  const failure = await completed(run.start());
  const differs = run.result() === result ? [] : [`another result: ${run.result()}`];
  const violations = [...failure, ...differs, ...run.violations()];
  return { ...counts, runs: 1, violations: violations.map((text) => `${run.id}: ${text}`) };
}

/** @returns false where the runner ended before its moment had come. */
async function killAtRandom(run: LabRun, pace: Pace): Promise<boolean> {
  const start = performance.now();
  const runner = run.start();
  const moment = Bun.sleep(Math.random() * pace.longestMs).then(() => "moment" as const);
  if ((await Promise.race([runner.exited, moment])) !== "moment") {
    pace.longestMs = performance.now() - start;
    return false;
  }
  pace.longestMs *= 1.05;
  runner.kill("SIGKILL");
  await runner.exited;
  return runner.signalCode === "SIGKILL";
}

function sum(left: LabReport, right: LabReport): LabReport {
  return {
    kills: left.kills + right.kills,
    runs: left.runs + right.runs,
    early: left.early + right.early,
    resumes: left.resumes + right.resumes,
    violations: [...left.violations, ...right.violations],
  };
}
