/**
 * Measures compiled programs against the least that anything like them takes:
 *
 *   node_modules/.bin/bun scripts/bench/run.ts
 *
 * Ratios travel between machines, seconds do not. Let nothing else run meanwhile.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchmarks } from "./benchmarks.ts";
import { compare, type Finding } from "./measure.ts";
import { buildPrograms } from "./programs.ts";

function row({ name, ms, baseline, baselineMs, ratio }: Finding): string {
  const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
  return `| ${name} | ${milliseconds(ms)} | ${baseline} | ${milliseconds(baselineMs)} | ${ratio.toFixed(2)} x |`;
}

const directory = mkdtempSync(join(tmpdir(), "pallium-bench-"));
try {
  const programs = buildPrograms(directory);
  const env = { PATH: process.env.PATH ?? "", HOME: directory };
  console.log("| what | median | baseline | median | ratio |\n|---|---|---|---|---|");
  for (const benchmark of benchmarks(programs, { directory, env })) {
    console.log(row(await compare(benchmark)));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
