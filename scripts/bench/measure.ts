/** Times of whole processes, and what they come to. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Workplace {
  /** Directory of the benchmark's own, which is the home of what it runs. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One thing to measure, and the least that anything like it takes. */
export interface Benchmark {
  readonly name: string;
  readonly baseline: string;
  readonly runs: number;
  /** Milliseconds; `round` counts the runs. */
  measure(round: number): Promise<number>;
  measureBaseline(round: number): Promise<number>;
}

export interface Finding {
  readonly name: string;
  readonly baseline: string;
  readonly ms: number;
  readonly baselineMs: number;
  readonly ratio: number;
}

/** Runs a command to its end, its output thrown away. @returns milliseconds. @throws when it fails. */
export async function timeCommand(argv: readonly string[], place: Workplace): Promise<number> {
  const [program = "", ...args] = argv;
  const begun = performance.now();
  const child = spawn(program, args, { cwd: place.directory, env: place.env, stdio: "ignore" });
  const [status] = await once(child, "exit");
  const ms = performance.now() - begun;
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}`);
  return ms;
}

/** Takes turns between the two, so that a busy machine slows both. The first turn only warms up. */
export async function compare(benchmark: Benchmark): Promise<Finding> {
  const { name, baseline, runs } = benchmark;
  const times: number[] = [];
  const baselineTimes: number[] = [];
  for (let round = 0; round <= runs; round += 1) {
    const baselineMs = await benchmark.measureBaseline(round);
    const ms = await benchmark.measure(round);
    if (round === 0) continue;
    times.push(ms);
    baselineTimes.push(baselineMs);
  }
  const [ms, baselineMs] = [median(times), median(baselineTimes)];
  return { name, baseline, ms, baselineMs, ratio: ms / baselineMs };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
