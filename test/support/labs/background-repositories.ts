/** What a soak of background runs leaves in the repositories that its runs edited. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { isAlive } from "../../../src/platform/process/identity.ts";
import type { TestRepository } from "../repository.ts";
import { type BackgroundScript, REAL_SCRIPT } from "./background-script.ts";
import type { BackgroundStore } from "./background-store.ts";

interface EditingRun {
  readonly id: string;
  readonly script: BackgroundScript;
}

/** The edits of completed runs are there, of no other file anything is, and nobody holds a lock. */
export async function repositoryViolations(
  repo: TestRepository,
  runs: readonly EditingRun[],
  store: BackgroundStore,
): Promise<string[]> {
  const status = await repo.git("status", "--porcelain");
  const changed = status.split("\n").filter((line) => line !== "");
  const editing = runs.filter(({ script }) => script === REAL_SCRIPT);
  const foreign = changed.filter((line) => !editing.some(({ id }) => line === `?? ${id}.txt`));
  const missing = editing.filter(
    ({ id }) =>
      store.status(id) === "completed" &&
      !store.stopped(id).has("edit") &&
      !changed.includes(`?? ${id}.txt`),
  );
  return [
    ...foreign.map((line) => `a checkout has: ${line}`),
    ...missing.map(({ id }) => `${id} is completed, and its edit is not in the checkout`),
    ...lockViolations(repo, store),
  ];
}

function lockViolations(repo: TestRepository, store: BackgroundStore): string[] {
  const path = repo.join(".git/pallium/edits.sqlite");
  if (!existsSync(path)) return [];
  using ledger = new Database(path, { readonly: true });
  const locks = ledger.query<{ run_id: string; owner: string }, []>("SELECT * FROM locks").all();
  const held = locks.filter(
    ({ run_id, owner }) =>
      isAlive(JSON.parse(owner)) === true || store.status(run_id) !== "interrupted",
  );
  const unfinished = existsSync(repo.join(".git/pallium/unfinished"));
  return [
    ...held.map(({ run_id }) => `${run_id} is ${store.status(run_id)} and holds a lock`),
    ...(unfinished ? ["a change to a checkout is unfinished"] : []),
  ];
}
