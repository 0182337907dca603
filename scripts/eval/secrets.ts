/**
 * Measures the scanner of secrets: how many of those that were put into patches it finds, and what
 * it finds in the added lines of real histories.
 *
 *   node_modules/.bin/bun scripts/eval/secrets.ts [--of-each N] [--commits N] [--seed N] <repo>...
 *
 * Prints the tables of docs/evaluation.md. `--list <file>` also writes where each finding in the
 * histories is, as JSON Lines.
 */
import { appendFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PalliumError } from "../../src/lib/errors.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import type { SecretFinding } from "../../src/secrets/finding.ts";
import { readPatch } from "../../src/secrets/patch.ts";
import { createSecretScanner } from "../../src/secrets/scanner.ts";
import { seededSamples } from "../../test/support/secrets/corpus.ts";
import { seededPatch } from "../../test/support/secrets/patches.ts";
import { recallByKind } from "../../test/support/secrets/recall.ts";
import { threePatterns } from "../../test/support/secrets/three-patterns.ts";
import { table } from "./tables.ts";

const NO_LIMIT = { limit: Number.MAX_SAFE_INTEGER };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "of-each": { type: "string", default: "60" },
    commits: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    list: { type: "string" },
  },
});
const scanner = createSecretScanner();
const git = createGit({ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" });

async function recallTable(): Promise<string> {
  const seed = Number(values.seed);
  const samples = seededSamples(seed, Number(values["of-each"]));
  const { patch, placed } = await seededPatch(samples, seed);
  const { findings } = await scanner.scanDiff(patch, NO_LIMIT);
  const ours = recallByKind(placed, findings);
  const three = recallByKind(placed, threePatterns(patch));
  const sum = (all: typeof ours) => all.reduce((found, one) => found + one.found, 0);
  const share = (found: number, total: number) => `${found} of ${total}`;
  const rows = ours.map(({ kind, found, total }, index) => [
    kind,
    share(found, total),
    share(three[index]?.found ?? 0, total),
  ]);
  const all = ["**all**", share(sum(ours), placed.length), share(sum(three), placed.length)];
  return table(["kind", "found by pallium", "by the three patterns"], [...rows, all]);
}

interface Counts {
  commits: number;
  lines: number;
  ours: number;
  three: number;
}

/** The patch of a commit against its first parent; `undefined` where a shallow clone lacks it. */
async function patchOf(cwd: string, commit: string): Promise<string | undefined> {
  const args = ["diff-tree", "-p", "--root", "--no-commit-id", "-M", "--binary", commit];
  try {
    return (await git.run(args, { cwd })).stdout;
  } catch (error) {
    if (error instanceof PalliumError && error.code === "git_failed") return undefined;
    throw error;
  }
}

function addedLines(patch: string): number {
  let added = 0;
  for (const { lines } of readPatch(patch, 0)) {
    added += lines.filter((line) => line?.isAdded).length;
  }
  return added;
}

function list(repository: string, commit: string, by: string, found: readonly SecretFinding[]) {
  if (values.list === undefined) return;
  for (const finding of found) {
    appendFileSync(values.list, `${JSON.stringify({ repository, commit, by, ...finding })}\n`);
  }
}

async function countsOf(cwd: string): Promise<Counts> {
  const log = ["log", "--no-merges", "--format=%H", "-n", values.commits];
  const { stdout } = await git.run(log, { cwd });
  const counts: Counts = { commits: 0, lines: 0, ours: 0, three: 0 };
  for (const commit of stdout.trim().split("\n")) {
    const patch = await patchOf(cwd, commit);
    if (patch === undefined) continue;
    const { findings } = await scanner.scanDiff(patch, NO_LIMIT);
    const three = threePatterns(patch);
    list(cwd, commit, "pallium", findings);
    list(cwd, commit, "three", three);
    counts.commits += 1;
    counts.lines += addedLines(patch);
    counts.ours += findings.length;
    counts.three += three.length;
  }
  return counts;
}

function historyRow(name: string, { commits, lines, ours, three }: Counts): readonly string[] {
  const per = (found: number) => `${found} (${((found / lines) * 10_000).toFixed(2)})`;
  return [name, `${commits}`, `${lines}`, per(ours), per(three)];
}

async function historyTable(): Promise<string> {
  const all: Counts = { commits: 0, lines: 0, ours: 0, three: 0 };
  const rows: (readonly string[])[] = [];
  for (const path of positionals) {
    const cwd = resolve(path);
    const counts = await countsOf(cwd);
    rows.push(historyRow(basename(cwd).replace(/\.git$/, ""), counts));
    for (const key of ["commits", "lines", "ours", "three"] as const) all[key] += counts[key];
  }
  const header = ["", "commits", "added lines", "pallium", "the three patterns"];
  return table(header, [...rows, historyRow("**all**", all)]);
}

console.log(await recallTable());
if (positionals.length > 0) console.log(`\n${await historyTable()}`);
