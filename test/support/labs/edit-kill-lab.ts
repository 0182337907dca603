/**
 * The kill lab with agents that edit a real repository: runners are killed at random moments, with
 * or without the git at work for them, and resumed, also with a changed script, two at once, or with
 * another pallium command in the checkout.
 */

import { type EditRun, type EditRunner, editRun } from "./edit-run.ts";
import { changeVariant, FIRST, type Variant } from "./edit-scripts.ts";
import type { LabReport } from "./kill-lab.ts";
import { type Random, random } from "./random.ts";

const MOST_KILLS_OF_A_RUN = 8;
const OTHERS: readonly (readonly string[])[] = [
  ["workflow", "list", "--json"],
  ["workflow", "tools", "list"],
  ["doctor", "--json"],
];

/** The longest an execution took, in milliseconds: it follows the machine, which others may keep busy. */
interface Pace {
  longestMs: number;
}

/** @param tell is called after every run. */
export async function editKillLab(
  kills: number,
  seed: number,
  tell: (report: LabReport) => void = () => {},
): Promise<LabReport> {
  const pace: Pace = { longestMs: 4000 };
  let report: LabReport = { kills: 0, runs: 0, early: 0, resumes: 0, violations: [] };
  while (report.kills < kills) {
    const done = await killedRun(seed + report.runs, kills - report.kills, pace);
    report = {
      kills: report.kills + done.kills,
      runs: report.runs + 1,
      early: report.early + done.early,
      resumes: report.resumes + done.resumes,
      violations: [...report.violations, ...done.violations],
    };
    tell(report);
  }
  return report;
}

async function killedRun(seed: number, most: number, pace: Pace): Promise<LabReport> {
  const chance = random(seed);
  await using run = await editRun(`edits-${process.pid}-${seed}`);
  const lab = new KilledRun(run, chance, pace);
  const wanted = Math.min(most, 1 + chance.below(MOST_KILLS_OF_A_RUN));
  while (lab.kills < wanted && (await lab.disturb())) {}
  await lab.finish();
  if (chance.percent(30)) await lab.revert();
  const violations = lab.violations.map((text) => `seed ${seed}: ${text}`);
  return { kills: lab.kills, early: lab.early, resumes: lab.resumes, runs: 1, violations };
}

class KilledRun {
  kills = 0;
  early = 0;
  resumes = 0;
  readonly violations: string[] = [];
  readonly #run: EditRun;
  readonly #chance: Random;
  readonly #pace: Pace;
  #variant: Variant = FIRST;
  /** Executions that came to their end, after which there is little left to kill. */
  #completed = 0;

  constructor(run: EditRun, chance: Random, pace: Pace) {
    this.#run = run;
    this.#chance = chance;
    this.#pace = pace;
  }

  /** @returns false once there is nothing left to disturb. */
  async disturb(): Promise<boolean> {
    const [run, chance] = [this.#run, this.#chance];
    const before = run.claimed() !== undefined;
    const isChanged = before && chance.percent(this.#completed > 0 ? 100 : 25);
    const last = this.#variant;
    if (isChanged) this.#variant = changeVariant(chance, this.#variant);
    if (this.#completed > 0 && last === this.#variant) return false;
    const first = await run.start(isChanged ? this.#variant : undefined);
    const runners = [first];
    if (chance.percent(15)) runners.push(await run.start(isChanged ? this.#variant : undefined));
    if (before && chance.percent(15)) runners.push(run.command(...chance.pick(OTHERS)));
    const isKilled = await this.#kill(runners);
    if (isKilled) {
      this.kills += 1;
      if (run.claimed() === undefined) this.early += 1;
      if (before) this.resumes += 1;
    } else if (run.claimed() !== undefined) this.#completed += 1;
    await this.#look();
    return true;
  }

  /** Kills all of them, or all but one, at a random moment. @returns false where the first one ended before. */
  async #kill(runners: readonly EditRunner[]): Promise<boolean> {
    const [chance, [first]] = [this.#chance, runners];
    const start = performance.now();
    const over = Promise.all(runners.map((runner) => this.#end(runner)));
    const moment = this.#moment().then(() => "moment" as const);
    if (first === undefined || (await Promise.race([first.exited, moment])) !== "moment") {
      this.#pace.longestMs = performance.now() - start;
      await over;
      return false;
    }
    this.#pace.longestMs *= 1.02;
    const spared = runners.length > 1 && chance.percent(50) ? chance.pick(runners) : undefined;
    const withGit = chance.percent(50);
    for (const runner of runners) if (runner !== spared) kill(runner, withGit);
    await over;
    return first.signalCode === "SIGKILL" || runners.some((one) => one.signalCode === "SIGKILL");
  }

  /** Any moment, one at which edits are captured and merged, or one at which they are applied. */
  async #moment(): Promise<void> {
    const chance = this.#chance;
    const kind = chance.below(10);
    const longest = chance.below(Math.ceil(this.#pace.longestMs));
    const until = performance.now() + longest;
    if (kind < 5) return void (await Bun.sleep(longest));
    const wanted = this.#run.workersEnded() + 1 + chance.below(6);
    const isThere = () =>
      kind < 8 ? this.#run.workersEnded() >= wanted : this.#run.isUnfinished();
    const limit = kind < 8 ? until : performance.now() + 60_000;
    while (!isThere() && performance.now() < limit) await Bun.sleep(1);
    await Bun.sleep(chance.below(kind < 8 ? 120 : 25));
  }

  /** Waits for a process; one that was not killed must have gone well, or said who has the run. */
  async #end(runner: EditRunner): Promise<void> {
    const [exitCode, , stderr] = await Promise.all([
      runner.exited,
      runner.stdout.text(),
      runner.stderr.text(),
    ]);
    if (exitCode === 0 || runner.signalCode === "SIGKILL") return;
    if (exitCode === 1 && stderr.includes('"code":"run_owned"')) return;
    this.violations.push(`exit status ${exitCode}: ${stderr.trim()}`);
  }

  /** Whichever command comes next leaves the checkout whole. */
  async #look(): Promise<void> {
    const [run, chance] = [this.#run, this.#chance];
    if (!chance.percent(40)) return;
    const other = chance.pick(OTHERS);
    await this.#end(run.command(...other));
    if (run.isUnfinished()) this.violations.push(`unfinished after ${other.join(" ")}`);
    if ((await run.checkout()) === undefined)
      this.violations.push(`the checkout is a mix after ${other.join(" ")}`);
  }

  /** Goes on in peace, with the script as it was claimed last. */
  async finish(): Promise<void> {
    await this.#end(await this.#run.start());
    this.violations.push(...(await this.#run.violations(true)));
  }

  /** Reverts, killed once at a random moment, and in peace after that. */
  async revert(): Promise<void> {
    const args = ["workflow", "revert", this.#run.id, "--json"];
    const runner = this.#run.command(...args);
    const over = this.#end(runner);
    await Bun.sleep(this.#chance.below(800));
    kill(runner, this.#chance.percent(50));
    await over;
    if (runner.signalCode === "SIGKILL") this.kills += 1;
    await this.#look();
    await this.#end(this.#run.command(...args));
    this.violations.push(...(await this.#run.violations(false)).map((text) => `reverted: ${text}`));
  }
}

function kill(runner: EditRunner, withGit: boolean): void {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  try {
    process.kill(withGit ? -runner.pid : runner.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
