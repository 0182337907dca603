/** One run of the soak of background runs: what is done to it, and what must hold after each step. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunStatus } from "../../../src/workflow/run/types.ts";
import { isRunning } from "../processes.ts";
import type { TestRepository } from "../repository.ts";
import { errorOf, type WorkflowHome } from "../workflow.ts";
import type { BackgroundScript } from "./background-script.ts";
import type { BackgroundStore } from "./background-store.ts";
import { orphansOf } from "./lab-run.ts";
import type { Random } from "./random.ts";

export const DISTURBANCES = [
  "stop",
  "stop --agent",
  "pause",
  "pause --drain",
  "kill group",
  "kill leader",
] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

const POLL_MS = 20;
/** While the fleet is full, the next try comes after this. */
const REFUSED_MS = 300;

export interface Fleet {
  readonly home: WorkflowHome;
  readonly store: BackgroundStore;
  readonly program: readonly string[];
  readonly limit: number;
  /** Variables that say how long agents work. */
  readonly pace: Readonly<Record<string, string>>;
}

export interface BackgroundRun {
  readonly id: string;
  readonly violations: readonly string[];
  /** How often the fleet had no room for it. */
  readonly refusals: number;
  /** Disturbances that came before it was over. */
  readonly struck: number;
  /** Whether somebody may be executing it. */
  readonly isAtWork: boolean;
  /** Starts it, or goes on with it, as soon as the fleet has room. */
  begin(): Promise<void>;
  disturb(disturbance: Disturbance, chance: Random): Promise<void>;
  /** Waits until it has come to its end by itself. */
  complete(): Promise<void>;
}

export function backgroundRun(
  fleet: Fleet,
  id: string,
  script: BackgroundScript,
  repo: TestRepository,
): BackgroundRun {
  return new SoakedRun(fleet, id, script, repo);
}

class SoakedRun implements BackgroundRun {
  refusals = 0;
  struck = 0;
  isAtWork = false;
  readonly violations: string[] = [];
  readonly id: string;
  readonly #fleet: Fleet;
  readonly #script: BackgroundScript;
  readonly #repo: TestRepository;

  constructor(fleet: Fleet, id: string, script: BackgroundScript, repo: TestRepository) {
    this.id = id;
    this.#fleet = fleet;
    this.#script = script;
    this.#repo = repo;
  }

  async begin(): Promise<void> {
    const { home, store } = this.#fleet;
    const path = join(home.directory, `${this.id}.js`);
    await writeFile(path, this.#script.source);
    const fresh = store.status(this.id) === undefined;
    const words = fresh ? ["run", "--id", this.id, "--script", path] : ["resume", this.id];
    for (;;) {
      const { code } = await this.#command([...words, "--background"], ["fleet_limit"]);
      if (code === undefined) break;
      this.refusals += 1;
      if (fresh && store.status(this.id) !== undefined) this.#wrong("refused, it has a row");
      await Bun.sleep(REFUSED_MS);
    }
    this.isAtWork = true;
  }

  async disturb(disturbance: Disturbance, chance: Random): Promise<void> {
    if (disturbance === "stop --agent") return this.#stopAgent(chance);
    if (disturbance === "kill group" || disturbance === "kill leader")
      return this.#kill(disturbance === "kill group");
    const drained = disturbance === "pause --drain";
    const cutShort = this.#fleet.store.pausedCalls(this.id);
    const { document } = await this.#command([...disturbance.split(" "), this.id]);
    const wanted: RunStatus = disturbance === "stop" ? "stopped" : "paused";
    this.#isNow([wanted, "completed"], disturbance, document?.status);
    for (const pid of orphansOf(this.id)) this.#wrong(`process ${pid} outlived ${disturbance}`);
    if (drained && this.#fleet.store.pausedCalls(this.id) > cutShort)
      this.#wrong("a drain cut calls short");
    await this.#runnerGone();
  }

  async complete(): Promise<void> {
    await this.#runnerGone();
    this.#isNow(["completed"], "its end");
    for (const pid of orphansOf(this.id)) this.#wrong(`process ${pid} outlived its run`);
  }

  async #stopAgent(chance: Random): Promise<void> {
    const label = chance.pick(this.#script.labels);
    const { document } = await this.#command(["stop", this.id, "--agent", label], STOP_REFUSALS);
    if (document?.agent_status !== "stopped") return;
    this.struck += 1;
    const marker = `${this.id}/${document.agent}`;
    for (const pid of orphansOf(marker)) this.#wrong(`process ${pid} of a stopped agent is left`);
  }

  async #kill(group: boolean): Promise<void> {
    const pid = this.#fleet.store.runner(this.id);
    if (isRunning(pid)) process.kill(group ? -pid : pid, "SIGKILL");
    await this.#runnerGone();
    const { document } = await this.#command(["status", this.id]);
    this.#isNow(["interrupted", "completed"], "a kill", document?.status);
  }

  async #runnerGone(): Promise<void> {
    const pid = this.#fleet.store.runner(this.id);
    while (isRunning(pid)) await Bun.sleep(POLL_MS);
    this.isAtWork = false;
  }

  /** @param told the status that the command printed. */
  #isNow(allowed: readonly RunStatus[], after: string, told?: RunStatus): void {
    const { store } = this.#fleet;
    const status = store.status(this.id);
    if (status === undefined || !allowed.includes(status))
      this.#wrong(`after ${after} it is ${status}`);
    if (status !== "completed") this.struck += 1;
    if (told !== undefined && told !== status)
      this.#wrong(`${after} said ${told}, and it is ${status}`);
    this.violations.push(...store.violations(this.id, this.#script));
  }

  async #command(words: readonly string[], refusals: readonly string[] = []): Promise<Answer> {
    const { home, program, limit, pace } = this.#fleet;
    const { stdout, stderr } = await home.pallium(["workflow", ...words, "--json"], {
      cwd: this.#repo.path,
      env: { ...this.#script.env, ...pace, PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS: String(limit) },
      program,
    });
    if (stdout !== "") return { document: JSON.parse(stdout) };
    const { code } = errorOf(stderr);
    if (!refusals.includes(code)) throw new Error(`${this.id}: ${words.join(" ")}: ${stderr}`);
    return { code };
  }

  #wrong(text: string): void {
    this.violations.push(text);
  }
}

/** No agent of that name is at work just now, or the run is over. */
const STOP_REFUSALS = ["agent_not_found", "run_not_at_work"];

interface Answer {
  readonly document?: {
    readonly status: RunStatus;
    readonly agent?: string;
    readonly agent_status?: string;
  };
  /** Of an error that was to be expected. */
  readonly code?: string;
}
