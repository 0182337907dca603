/** One run of a lab: its processes, its provider, and what must hold once it is over. */
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "../cli.ts";
import { isRunning } from "../processes.ts";
import { provider, type WorkflowHome } from "../workflow.ts";
import { integrityViolations } from "./integrity.ts";
import type { LabScript } from "./scripts.ts";

const line = (word: string, label: string) => `printf '${word} %s\\n' "${label}" >>"$HOME/ledger"`;

/** A random short time, so that the order of ends is another one in every run. */
const SHORTLY = "sleep 0.0$(($$ % 10))";

const LABEL = "$PALLIUM_WORKFLOW_LABEL";
const COMMAND = `${line("start", LABEL)}; ${SHORTLY}
case "${LABEL} $PALLIUM_WORKFLOW_OUTPUT_FILE" in
  lone*/retry/*) echo '{"ok":true}';;
  lone*) echo 'no object';;
  *) echo "answer of ${LABEL}";;
esac
${line("end", LABEL)}`;
const CHECK = `${line("start", "check")}; ${SHORTLY}; echo checked; ${line("end", "check")}`;

export const LAB_ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", COMMAND) };

export type LabRunner = Bun.Subprocess<"ignore", "pipe", "pipe">;

export interface LabRun {
  readonly id: string;
  /** Whether the run is on record. */
  isClaimed(): boolean;
  /**
   * Starts `workflow run`, or `workflow resume` of a run that has been claimed already.
   * @param program is given the arguments of the command line.
   */
  start(program?: readonly string[]): LabRunner;
  /** Everything that is not as it must be now that the run has completed; empty when all is well. */
  violations(): string[];
  /** The result on record. */
  result(): string;
}

/** @param home holds this run alone: its ledger is in the home. */
export async function labRun(
  home: WorkflowHome,
  id: string,
  { source, calls, starts }: LabScript,
): Promise<LabRun> {
  const script = join(home.directory, "script.js");
  await writeFile(
    script,
    source.replace("CHECK", () => JSON.stringify(CHECK)),
  );
  const store = join(home.directory, ".pallium", "pallium.sqlite");
  return {
    id,
    isClaimed: () => isClaimed(store, id),
    start(program = PALLIUM) {
      const args = isClaimed(store, id) ? ["resume", id] : ["run", "--id", id, "--script", script];
      return Bun.spawn([...program, "workflow", ...args, "--json"], {
        cwd: home.directory,
        env: { ...home.env, ...LAB_ENV },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
    },
    violations: () => [
      ...ledgerViolations(join(home.directory, "ledger"), starts),
      ...rowViolations(store, id, calls),
      ...orphansOf(id).map((pid) => `process ${pid} is left`),
    ],
    result: () =>
      read(
        store,
        (database) =>
          database
            .query<{ result: string }, [string]>("SELECT result FROM workflow_runs WHERE id = ?")
            .get(id)?.result,
      ) ?? "",
  };
}

function read<T>(store: string, look: (database: Database) => T): T {
  using database = new Database(store, { readonly: true });
  return look(database);
}

function isClaimed(store: string, id: string): boolean {
  if (!existsSync(store)) return false;
  try {
    return read(
      store,
      (database) => database.query("SELECT 1 FROM workflow_runs WHERE id = ?").get(id) !== null,
    );
  } catch {
    return false; // Killed before the tables were made.
  }
}

function ledgerViolations(path: string, starts: LabScript["starts"]): string[] {
  const counts = new Map<string, number>();
  const entries = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  for (const entry of entries) {
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return [...counts].flatMap(([entry, count]) => {
    const [, label = ""] = entry.split(" ");
    const expected = starts[label] ?? 1;
    return count === expected ? [] : [`ledger has "${entry}" ${count} times, not ${expected}`];
  });
}

interface Totals {
  readonly open: number;
  readonly finished: number;
  readonly contradicting: number;
}

function rowViolations(store: string, id: string, calls: number): string[] {
  return read(store, (database) => {
    const { open, finished, contradicting } = database
      .query(
        `SELECT count(*) FILTER (WHERE status = 'running') AS open,
           count(*) FILTER (WHERE outcome = 'ok' AND superseded = 0) AS finished,
           count(*) FILTER (WHERE outcome IS NULL AND superseded = 0) AS contradicting
         FROM workflow_calls WHERE run_id = ?`,
      )
      .get(id) as Totals;
    return [
      ...(open === 0 ? [] : [`${open} calls are still marked as running`]),
      ...(finished === calls ? [] : [`${finished} calls have finished, not ${calls}`]),
      ...(contradicting === 0
        ? []
        : [`${contradicting} calls without an end stand for themselves`]),
      ...integrityViolations(store),
    ];
  });
}

/** Waits for a runner. @returns what it said where it did not succeed. */
export async function completed(runner: LabRunner): Promise<readonly string[]> {
  const [exitCode, , stderr] = await Promise.all([
    runner.exited,
    runner.stdout.text(),
    runner.stderr.text(),
  ]);
  return exitCode === 0 ? [] : [`exit status ${exitCode}\n${stderr.trim()}`];
}

/** Living processes of any call of a run. */
export function orphansOf(runId: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => isRunning(pid) && environmentOf(pid).includes(`\0PALLIUM_CALL=${runId}/`));
}

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "utf8")}`;
  } catch {
    return ""; // It has ended meanwhile.
  }
}
