/** What the store says of the runs of a soak, read beside the processes that write it. */
import { Database } from "bun:sqlite";
import { isAlive } from "../../../src/platform/process/identity.ts";
import type { RunStatus } from "../../../src/workflow/run/types.ts";
import type { BackgroundScript } from "./background-script.ts";

const OPEN: readonly RunStatus[] = ["queued", "running"];

export interface BackgroundStore extends Disposable {
  /** `undefined` where the run was never taken. */
  status(id: string): RunStatus | undefined;
  /** The process that executed the run last. */
  runner(id: string): number;
  /** How many runs are executed at this moment. */
  active(): number;
  /** Labels of the calls that were stopped and not done after all. */
  stopped(id: string): ReadonlySet<string>;
  /** Calls that were cut short when the run paused. */
  pausedCalls(id: string): number;
  /** Whatever of a run is not as it must be while nobody executes it. */
  violations(id: string, script: BackgroundScript): string[];
}

export function backgroundStore(path: string): BackgroundStore {
  const database = new Database(path, { readonly: true });
  const count = (sql: string, id: string) =>
    database.query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${sql}`).get(id)?.n ?? 0;
  const text = (sql: string, id: string) =>
    database.query<{ text: string | null }, [string]>(sql).get(id)?.text ?? undefined;
  const status = (id: string) =>
    text("SELECT status AS text FROM workflow_runs WHERE id = ?", id) as RunStatus | undefined;
  /** Leases of living processes: one that died holds none, whatever is on record. */
  const holders = (sql: string, ...ids: string[]) =>
    database
      .query<{ owner: string }, string[]>(sql)
      .all(...ids)
      .filter(({ owner }) => isAlive(JSON.parse(owner)) === true).length;
  const stopped = (id: string) =>
    new Set(
      database
        .query<{ label: string }, [string]>(
          "SELECT label FROM workflow_calls WHERE run_id = ? AND status = 'stopped' AND superseded = 0",
        )
        .all(id)
        .map(({ label }) => label),
    );

  function completedViolations(id: string, script: BackgroundScript): string[] {
    const result = text("SELECT result AS text FROM workflow_runs WHERE id = ?", id) ?? "null";
    const left = stopped(id);
    const asWanted = Bun.deepEquals(JSON.parse(result), script.result(left));
    const done = count("workflow_calls WHERE run_id = ? AND outcome = 'ok' AND superseded = 0", id);
    const wanted = script.labels.length - left.size;
    return [
      ...(asWanted
        ? []
        : [`the result is ${result} with ${[...left].join(", ") || "no call"} stopped`]),
      ...(done === wanted ? [] : [`${done} calls are done, not ${wanted}`]),
    ];
  }

  return {
    status,
    stopped,
    runner: (id) =>
      Number(text("SELECT owner_pid AS text FROM workflow_leases WHERE run_id = ?", id) ?? 0),
    active: () =>
      holders(
        `SELECT owner FROM workflow_runs JOIN workflow_leases ON run_id = id
         WHERE status IN ('queued', 'running') AND owner IS NOT NULL`,
      ),
    pausedCalls: (id) => count("workflow_calls WHERE run_id = ? AND status = 'paused'", id),
    violations(id, script) {
      const now = status(id);
      const told = text(
        `SELECT data ->> 'status' AS text FROM workflow_events
         WHERE run_id = ? AND type = 'run' ORDER BY seq DESC LIMIT 1`,
        id,
      );
      const working = count("workflow_calls WHERE run_id = ? AND status = 'running'", id);
      const phases = count("workflow_phases WHERE run_id = ? AND status = 'running'", id);
      const leases = holders(
        "SELECT owner FROM workflow_leases WHERE run_id = ? AND owner IS NOT NULL",
        id,
      );
      return [
        ...(now === undefined || OPEN.includes(now)
          ? [`nobody executes it, and it is ${now}`]
          : []),
        ...(told === now ? [] : [`it is ${now}, and the journal says ${told}`]),
        ...(working === 0 ? [] : [`it is ${now}, and ${working} of its calls are running`]),
        ...(phases === 0 ? [] : [`it is ${now}, and ${phases} of its phases are running`]),
        ...(leases === 0 ? [] : ["its lease was not given back"]),
        ...(now === "completed" ? completedViolations(id, script) : []),
      ];
    },
    [Symbol.dispose]: () => database.close(),
  };
}
