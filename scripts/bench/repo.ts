/**
 * Measures repo memory on a repository of yours, of which it makes a copy:
 *
 *   node_modules/.bin/bun scripts/bench/repo.ts <repository>
 *
 * Each figure stands beside what git itself takes for the least that is needed. Let nothing else run.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { watchPeakMemory } from "../../test/support/peak-memory.ts";
import { type Benchmark, compare, type Finding, timeCommand, type Workplace } from "./measure.ts";
import { buildPrograms } from "./programs.ts";

/** Git reads files again while they are as new as its note of them, and notes nothing for who only asks. */
const UNTIL_OLDER_MS = 2000;
/** Of what takes little: the median of fewer wanders. */
const RUNS = 15;
const TEN = "HEAD~10";
const FIVE = "HEAD~5";

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error("usage: bun scripts/bench/repo.ts <repository>");
  process.exit(2);
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 }).trim();
}

function row({ name, ms, baseline, baselineMs, ratio }: Finding): string {
  const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
  return `| ${name} | ${milliseconds(ms)} | ${baseline} | ${milliseconds(baselineMs)} | ${ratio.toFixed(2)} x |`;
}

/** The busiest source file: questions about it have the most to look at. */
function busiestFile(repository: string, pallium: string, env: Workplace["env"]): string {
  const map = execFileSync(pallium, ["map", "--json", "--limit", "1"], {
    cwd: repository,
    env: { ...env },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const { hotspots } = JSON.parse(map) as { hotspots: { path: string }[] };
  return hotspots[0]?.path ?? git(repository, "ls-files").split("\n")[0] ?? "";
}

function benchmarks(pallium: string, empty: string, place: Workplace): readonly Benchmark[] {
  const ask = (...words: string[]) => timeCommand([pallium, ...words], place);
  const log = () => timeCommand(["git", "log", "--raw", "-z", "-M", "--format=%H%n%B"], place);
  const emptyProgram = () => timeCommand([empty], place);
  const diff = () => timeCommand(["git", "diff", "--raw", "-M", FIVE, "HEAD"], place);
  const file = busiestFile(place.directory, pallium, place.env);
  const question = (...words: string[]): Benchmark => ({
    name: `\`${words[0] === "workflow" ? "workflow preflight" : words[0]}\``,
    baseline: "an empty program",
    runs: RUNS,
    measure: () => ask(...words),
    measureBaseline: emptyProgram,
  });
  const head = git(place.directory, "rev-parse", "HEAD");
  return [
    {
      name: "cold index",
      baseline: "`git log --raw -z -M`",
      runs: 3,
      measure: () => ask("index", "--full"),
      measureBaseline: log,
    },
    {
      name: "index after ten commits",
      baseline: "an empty program",
      runs: 5,
      async measure() {
        git(place.directory, "checkout", "-q", "--detach", TEN);
        await ask("index");
        git(place.directory, "checkout", "-q", "--detach", head);
        return ask("index");
      },
      measureBaseline: emptyProgram,
    },
    question("explain", file),
    question("safe", file),
    question("plan", file),
    question("risk", file),
    question("neighbors", file),
    question("decisions", "why is the lock needed"),
    question("workflow", "preflight", "look", "--scope", file),
    question("changed-now"),
    {
      name: "`review` of five commits",
      baseline: "`git diff --raw -M`",
      runs: RUNS,
      measure: () => ask("review", FIVE),
      measureBaseline: diff,
    },
    {
      name: "`handoff` of five commits",
      baseline: "`git diff --raw -M`",
      runs: RUNS,
      measure: () => ask("handoff", FIVE),
      measureBaseline: diff,
    },
  ];
}

/** Most memory that a cold index holds at once, in MB, looked at while it works. */
async function peakMemory(pallium: string, place: Workplace): Promise<number> {
  const child = spawn(pallium, ["index", "--full"], {
    cwd: place.directory,
    env: place.env,
    stdio: "ignore",
  });
  if (child.pid === undefined) throw new Error(`cannot start ${pallium}`);
  const memory = watchPeakMemory(child.pid);
  await once(child, "exit");
  return memory.stop() / 1024 ** 2;
}

const directory = mkdtempSync(join(tmpdir(), "pallium-bench-"));
try {
  const programs = buildPrograms(directory);
  const repository = join(directory, "repository");
  git(directory, "clone", "-q", "--shared", resolve(given), repository);
  await sleep(UNTIL_OLDER_MS);
  git(repository, "update-index", "-q", "--refresh");
  const env = { PATH: process.env.PATH ?? "", HOME: directory };
  const place = { directory: repository, env };
  await timeCommand([programs.pallium, "index"], place);
  console.log(
    `${git(repository, "rev-list", "--count", "HEAD")} commits, ${git(repository, "ls-files").split("\n").length} files`,
  );
  console.log("| what | median | baseline | median | ratio |\n|---|---|---|---|---|");
  for (const benchmark of benchmarks(programs.pallium, programs.empty, place)) {
    console.log(row(await compare(benchmark)));
  }
  if (process.platform === "linux") {
    console.log(
      `\npeak memory of a cold index: ${(await peakMemory(programs.pallium, place)).toFixed(0)} MB`,
    );
  }
  const size = statSync(join(repository, ".pallium/index.sqlite")).size;
  console.log(`index: ${(size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
