/**
 * Runs in the background, many at once in one store and a few repositories, that are stopped, paused,
 * drained, killed and resumed at random. Whatever is done to them, what is on record must be true.
 */
import { join } from "node:path";
import { messageOf } from "../../../src/lib/errors.ts";
import { runningFrom } from "../leftovers.ts";
import { isRunning } from "../processes.ts";
import { type TestRepository, testRepository } from "../repository.ts";
import { workflowHome } from "../workflow.ts";
import { repositoryViolations } from "./background-repositories.ts";
import {
  type BackgroundRun,
  backgroundRun,
  DISTURBANCES,
  type Disturbance,
  type Fleet,
} from "./background-run.ts";
import { type BackgroundScript, pace, REAL_SCRIPT, STUB_SCRIPT } from "./background-script.ts";
import { backgroundStore } from "./background-store.ts";
import { integrityViolations } from "./integrity.ts";
import { type Random, random } from "./random.ts";

const MOST_DISTURBANCES = 5;
/** Longest time until a run is disturbed. */
const LONGEST_MS = 1500;
/** So many runs of a hundred are left as the last disturbance left them. */
const LEFT_PERCENT = 50;
/** Workers of killed runs end by themselves well within this. */
const LEFTOVER_MS = 20_000;
const SAMPLE_MS = 25;
/** So many more runs want to be executed than may be. */
const WAITING = 2;

export interface SoakOptions {
  /** At least so many runs, for at least so long. */
  readonly runs: number;
  readonly durationMs: number;
  /** How many may be executed at once. */
  readonly limit: number;
  readonly seed: number;
  /** How long each agent works, in milliseconds. */
  readonly pauseMs: number;
  readonly program: readonly string[];
}

export interface BackgroundSoakReport {
  readonly runs: number;
  readonly counts: Readonly<Record<Disturbance, number>>;
  /** Disturbances that came before their run was over. */
  readonly struck: number;
  readonly resumes: number;
  /** How often the fleet had no room. */
  readonly refusals: number;
  /** Most runs that were executed at once. */
  readonly mostActive: number;
  /** How many ended as what. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

interface SoakedRun {
  readonly id: string;
  readonly script: BackgroundScript;
  readonly repo: TestRepository;
}

/** @param tell is called after every run. */
export async function backgroundSoak(
  options: SoakOptions,
  tell: (report: BackgroundSoakReport) => void = () => {},
): Promise<BackgroundSoakReport> {
  await using home = await workflowHome();
  await home.script("return 1;", { id: "first" });
  const path = join(home.directory, ".pallium", "pallium.sqlite");
  using store = backgroundStore(path);
  const lab = new Lab(
    { home, store, program: options.program, limit: options.limit, pace: pace(options.pauseMs) },
    options,
    tell,
  );
  const watch = setInterval(() => lab.look(), SAMPLE_MS);
  try {
    await Promise.all(Array.from({ length: options.limit + WAITING }, () => lab.keepRunning()));
  } finally {
    clearInterval(watch);
  }
  await lab.lookAtTheEnd(path);
  return lab.report();
}

class Lab {
  readonly #fleet: Fleet;
  readonly #options: SoakOptions;
  readonly #tell: (report: BackgroundSoakReport) => void;
  readonly #until: number;
  readonly #counts = Object.fromEntries(DISTURBANCES.map((one) => [one, 0])) as Record<
    Disturbance,
    number
  >;
  readonly #runs: SoakedRun[] = [];
  readonly #violations: string[] = [];
  #begun = 0;
  #resumes = 0;
  #struck = 0;
  #refusals = 0;
  #mostActive = 0;

  constructor(fleet: Fleet, options: SoakOptions, tell: (report: BackgroundSoakReport) => void) {
    this.#fleet = fleet;
    this.#options = options;
    this.#tell = tell;
    this.#until = performance.now() + options.durationMs;
  }

  report(): BackgroundSoakReport {
    const statuses: Record<string, number> = {};
    for (const { id } of this.#runs) {
      const status = this.#fleet.store.status(id) ?? "none";
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return {
      runs: this.#runs.length,
      counts: this.#counts,
      struck: this.#struck,
      resumes: this.#resumes,
      refusals: this.#refusals,
      mostActive: this.#mostActive,
      statuses,
      violations: this.#violations,
    };
  }

  /** The fleet limit holds at every moment. */
  look(): void {
    const active = this.#fleet.store.active();
    this.#mostActive = Math.max(this.#mostActive, active);
    const { limit } = this.#options;
    if (active > limit) this.#violations.push(`${active} runs are executed, not ${limit} at most`);
  }

  /** One run after the other, in a repository where no other run is at the same time. */
  async keepRunning(): Promise<void> {
    await using repo = await testRepository();
    await repo.commit("base", { "base.txt": "base\n" });
    const { runs } = this.#options;
    while (this.#begun < runs || performance.now() < this.#until) {
      this.#begun += 1;
      await this.#oneRun(this.#begun, repo);
    }
    await this.#fleet.home.pallium(["workflow", "list", "--json"]);
    const done = this.#runs.filter((run) => run.repo === repo);
    this.#violations.push(...(await repositoryViolations(repo, done, this.#fleet.store)));
  }

  async #oneRun(number: number, repo: TestRepository): Promise<void> {
    const chance = random(this.#options.seed + number);
    const script = chance.percent(70) ? REAL_SCRIPT : STUB_SCRIPT;
    const id = `soak-${process.pid}-${number}`;
    const run = backgroundRun(this.#fleet, id, script, repo);
    try {
      await this.#disturbed(run, chance);
    } catch (error) {
      this.#violations.push(messageOf(error));
    }
    this.#refusals += run.refusals;
    this.#struck += run.struck;
    this.#violations.push(...run.violations.map((text) => `${id}: ${text}`));
    this.#runs.push({ id, script, repo });
    this.#tell(this.report());
  }

  async #disturbed(run: BackgroundRun, chance: Random): Promise<void> {
    await run.begin();
    for (let times = chance.below(MOST_DISTURBANCES + 1); times > 0; times -= 1) {
      await Bun.sleep(chance.below(LONGEST_MS));
      const disturbance = chance.pick(DISTURBANCES);
      this.#counts[disturbance] += 1;
      await run.disturb(disturbance, chance);
      if (run.isAtWork) continue;
      if (this.#fleet.store.status(run.id) === "completed") return;
      if (times === 1 && chance.percent(LEFT_PERCENT)) return;
      this.#resumes += 1;
      await run.begin();
    }
    await run.complete();
  }

  /** Nobody executes anything any more: every run, the store and the machine are looked at once more. */
  async lookAtTheEnd(path: string): Promise<void> {
    const { home, store } = this.#fleet;
    for (const { id, script } of this.#runs)
      this.#violations.push(
        ...store.violations(id, script).map((text) => `in the end, ${id}: ${text}`),
      );
    const until = performance.now() + LEFTOVER_MS;
    const left = () => runningFrom(home.directory).filter(isRunning);
    while (left().length > 0 && performance.now() < until) await Bun.sleep(SAMPLE_MS);
    this.#violations.push(...left().map((pid) => `process ${pid} is left`));
    this.#violations.push(...integrityViolations(path));
  }
}
