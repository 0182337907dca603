/**
 * Measures how good the answers about repositories are, on their own histories:
 *
 *   node_modules/.bin/bun scripts/eval/run.ts [--commits N] [--skip N] [--windows N] <repo>...
 *
 * Prints the tables of docs/evaluation.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { findRepository } from "../../src/repo/identity.ts";
import { scoreRepository } from "../../src/repo/score/score-repository.ts";
import { type Scored, tables } from "./tables.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string", default: "400" },
    skip: { type: "string", default: "0" },
    windows: { type: "string", default: "2" },
  },
});
const powers = {
  git: createGit({ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" }),
  clock: systemClock(),
};
const home = mkdtempSync(join(tmpdir(), "pallium-eval-"));
try {
  const scored: Scored[] = [];
  for (const path of positionals) {
    const repository = await findRepository(powers.git, path, home);
    const report = await scoreRepository(powers, repository, {
      commits: Number(values.commits),
      skip: Number(values.skip),
      windows: Number(values.windows),
      timeLimitMs: Number.POSITIVE_INFINITY,
    });
    scored.push({ name: basename(repository.root), report });
  }
  console.log(tables(scored));
} finally {
  rmSync(home, { recursive: true, force: true });
}
