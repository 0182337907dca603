/** Floods of a run: how much memory its runner took, and whether all that came in came out or is on record. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../../src/workflow/run/types.ts";
import { watchPeakMemory } from "../peak-memory.ts";
import { startRun } from "../runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../workflow.ts";

/** Most that a runner may take of the machine's memory; at rest it takes about 70 MB. */
const PEAK_MEGABYTES = 256;
const MEGABYTE = 1_000_000;

const STUB = { PALLIUM_WORKFLOW_AGENT_STUB: "{{PROMPT}}" };

export interface FloodReport {
  /** Of the runner, at most. */
  readonly peakMegabytes: number;
  /** What was counted, as one line. */
  readonly counted: string;
  readonly violations: readonly string[];
}

export interface FloodedRun {
  readonly snapshot: Snapshot;
  /** The result, parsed. */
  readonly result: unknown;
  readonly stderr: string;
  readonly seconds: number;
  readonly peakMegabytes: number;
}

export async function floodedRun(
  home: WorkflowHome,
  script: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<FloodedRun> {
  const begun = performance.now();
  const runner = await startRun(home, script, env, flags);
  const memory = watchPeakMemory(runner.pid);
  const [stdout, stderr] = await Promise.all([runner.stdout.text(), runner.stderr.text()]);
  await runner.exited;
  const snapshot = JSON.parse(stdout) as Snapshot;
  return {
    snapshot,
    result: JSON.parse(snapshot.run.result ?? "null"),
    stderr,
    seconds: (performance.now() - begun) / 1000,
    peakMegabytes: Math.round(memory.stop() / MEGABYTE),
  };
}

export function useProvider(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

/** So many items in one `parallel`, an agent of the stub for each. */
export async function floodOfItems(items: number): Promise<FloodReport> {
  await using home = await workflowHome();
  const script = `const items = await parallel(Array.from({ length: ${items} }, (_, i) => i), (i) => agent("item " + i));
    return items.filter((item, i) => item === "item " + i).length;`;
  const run = await floodedRun(home, script, STUB, ["--max-agents", `${items}`]);
  return report(run, `${run.result} items in place, ${finished(run)} calls on record`, [
    unequal("items in place", run.result, items),
    unequal("calls on record", finished(run), items),
  ]);
}

const LINES_OF_BURST = 1250;
const BURSTS_A_SECOND = 8;

/** 10,000 log lines a second. Scripts have no clock: an agent takes the time between two bursts. */
export async function floodOfLogLines(seconds: number): Promise<FloodReport> {
  await using home = await workflowHome();
  const bursts = seconds * BURSTS_A_SECOND;
  const script = `let line = 0;
    for (let burst = 0; burst < ${bursts}; burst++) {
      for (let i = 0; i < ${LINES_OF_BURST}; i++) log("line", line++);
      await agent("pause " + burst);
    }
    return line;`;
  const run = await floodedRun(home, script, useProvider("sleep 0.1; echo done"));
  const lines = [...run.stderr.matchAll(/^\[workflow:wf-test\] line (\d+)$/gm)].map(([, n]) => n);
  const marks = [...run.stderr.matchAll(/left out here, .*: (\d+)$/gm)];
  const leftOut = marks.reduce((sum, [, count]) => sum + Number(count), 0);
  const ordered = lines.every((n, i) => i === 0 || Number(n) > Number(lines[i - 1]));
  const rate = Math.round(Number(run.result) / run.seconds);
  return report(
    run,
    `${lines.length} lines printed, ${leftOut} marked as left out, ${rate} a second`,
    [
      unequal("lines printed or marked", lines.length + leftOut, bursts * LINES_OF_BURST),
      ordered ? undefined : "lines are out of order",
    ],
  );
}

/** So many bytes as the answer of one provider: more than a script can be given. */
export async function floodOfOutput(bytes: number): Promise<FloodReport> {
  await using home = await workflowHome();
  const run = await floodedRun(
    home,
    `return [await agent("x").catch((error) => error.code)];`,
    useProvider(`head -c ${bytes} /dev/zero | tr '\\0' y`),
  );
  const [{ error = "" } = {}] = run.snapshot.run.failures ?? [];
  const id = run.snapshot.agents[0]?.id ?? "";
  const file = join(home.directory, ".pallium", "workflow-runs", "wf-test", "calls", id, "stdout");
  const { size } = await stat(file);
  return report(run, `${size} bytes on file, ${JSON.stringify(run.result)}: ${error}`, [
    unequal("bytes on file", size, bytes),
    unequal("the error", JSON.stringify(run.result), '["output_limit"]'),
    error.includes(`${bytes} bytes`) ? undefined : "the failure does not say how much it was",
  ]);
}

/** So many agents of a real provider, each a process of its own. */
export async function floodOfAgents(agents: number): Promise<FloodReport> {
  await using home = await workflowHome();
  const script = `const answers = await parallel(Array.from({ length: ${agents} }, (_, i) => i), (i) => agent("x", { label: "a" + i }));
    return answers.filter((answer, i) => answer === "answer of a" + i).length;`;
  const command = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"; echo "answer of $PALLIUM_WORKFLOW_LABEL"`;
  const run = await floodedRun(home, script, useProvider(command), ["--max-agents", `${agents}`]);
  const ledger = (await Bun.file(join(home.directory, "ledger")).text()).trim().split("\n");
  return report(
    run,
    `${ledger.length} processes, ${run.result} answers in place, ${finished(run)} calls on record`,
    [
      unequal("processes", ledger.length, agents),
      unequal("labels in the ledger", new Set(ledger).size, agents),
      unequal("answers in place", run.result, agents),
      unequal("calls on record", finished(run), agents),
    ],
  );
}

function report(
  { peakMegabytes }: FloodedRun,
  counted: string,
  checks: readonly (string | undefined)[],
): FloodReport {
  const memory =
    peakMegabytes <= PEAK_MEGABYTES ? undefined : `the runner took ${peakMegabytes} MB`;
  const violations = [...checks, memory].filter((text) => text !== undefined);
  return { peakMegabytes, counted, violations };
}

function finished({ snapshot }: FloodedRun): number {
  return snapshot.agents.filter(({ outcome }) => outcome === "ok").length;
}

function unequal(what: string, is: unknown, expected: unknown): string | undefined {
  return is === expected ? undefined : `${what}: ${is}, not ${expected}`;
}
