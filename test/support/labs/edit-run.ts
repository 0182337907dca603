/** One run of the kill lab whose agents edit: its processes, and its checkout. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../../src/platform/hash.ts";
import { PALLIUM } from "../cli.ts";
import { filesBelow } from "../edit-bench.ts";
import { GIT_VARIABLES, testRepository } from "../repository.ts";
import { provider, workflowHome } from "../workflow.ts";
import { BASE_FILES, FIRST, sourceOf, USER_CHANGES, type Variant, WORKER } from "./edit-scripts.ts";
import { checkoutOf, claimedHash, ledgerOf, type Parts, violationsOf } from "./edit-violations.ts";

/** Few enough that some edits of a group see others of it. */
const AT_ONCE = "3";

export type EditRunner = Bun.Subprocess<"ignore", "pipe", "pipe">;

export interface EditRun extends AsyncDisposable {
  readonly id: string;
  /** What of the run is in the checkout: `undefined` where it is a mix, or none of the run's doing. */
  checkout(): Promise<"old" | Variant | undefined>;
  /** Starts the run, or goes on with it: as it was claimed last, or with another script. */
  start(variant?: Variant): Promise<EditRunner>;
  /** Starts any other command in the checkout. */
  command(...args: readonly string[]): EditRunner;
  /** Whether a change to the checkout is on record. */
  isUnfinished(): boolean;
  /** How often a worker has ended. */
  workersEnded(): number;
  /** The script as it was claimed last; `undefined` before the run was. */
  claimed(): Variant | undefined;
  /** Whatever is not as it must be once the run has completed, with its edits applied or reverted. */
  violations(applied: boolean): Promise<readonly string[]>;
}

export async function editRun(id: string): Promise<EditRun> {
  const home = await workflowHome();
  const repo = await testRepository();
  await repo.commit("base", BASE_FILES);
  await repo.commit("second", { "second.txt": "second\n" });
  await Bun.spawn(["sh", "-ec", USER_CHANGES], { cwd: repo.path, env: { ...GIT_VARIABLES } })
    .exited;
  const parts: Parts = {
    id,
    home,
    repo,
    old: await filesBelow(repo.path),
    index: readFileSync(repo.join(".git/index")),
    store: join(home.directory, ".pallium/pallium.sqlite"),
    variants: new Map(),
  };
  const spawn = (args: readonly string[]) => spawnIn(parts, args);
  const claimed = () => parts.variants.get(claimedHash(parts));
  return {
    id,
    claimed,
    checkout: () => checkoutOf(parts),
    command: (...args) => spawn(args),
    isUnfinished: () => existsSync(repo.join(".git/pallium/unfinished")),
    workersEnded: () => ledgerOf(parts).filter((line) => line.startsWith("end ")).length,
    violations: (applied) => violationsOf(parts, applied),
    async start(variant) {
      if (variant === undefined && claimed() !== undefined)
        return spawn(["workflow", "resume", id, "--json"]);
      const source = sourceOf(variant ?? FIRST);
      parts.variants.set(sha256(source), variant ?? FIRST);
      const script = join(home.directory, `${sha256(source)}.js`);
      await writeFile(script, source);
      const limits = ["--max-concurrent-agents", AT_ONCE];
      return spawn(["workflow", "run", "--id", id, "--script", script, "--json", ...limits]);
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** In a process group of its own, so that it can be killed together with its git. */
function spawnIn({ home, repo }: Parts, args: readonly string[]): EditRunner {
  const env = {
    ...home.env,
    ...GIT_VARIABLES,
    ...home.env,
    PALLIUM_WORKFLOW_PROVIDER: "p",
    ...provider("p", WORKER),
  };
  return Bun.spawn([...PALLIUM, ...args], {
    cwd: repo.path,
    env,
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}
