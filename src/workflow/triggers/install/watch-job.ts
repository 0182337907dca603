/** What a service manager is to run: a watch of triggers, with all that it needs to be found. */
import { resolve } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import type { WorkflowPowers } from "../../powers.ts";
import type { WatchKind } from "../types.ts";

export interface WatchJob {
  /** Absolute program first. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute; where its errors go, if its manager keeps no log. */
  readonly log: string;
}

export interface WatchWish {
  readonly db?: string | undefined;
  readonly kind: WatchKind;
  /** Length of time between looks. */
  readonly interval: string;
  /** Look once and end, runs going on by themselves, for a manager that calls again and again. */
  readonly once: boolean;
}

/** Where programs, agents and data are found; none of them is a secret. */
const PASSED_ON = ["PATH", "PALLIUM_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "TZ"];
/** None of the three forms can hold them, and no path has them by accident. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** @throws PalliumError `trigger_install` for a path that no service file can hold. */
export function watchJob(
  { environment: { self, variables, home, cwd }, home: dataHome }: WorkflowPowers,
  { db, kind, interval, once }: WatchWish,
): WatchJob {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = variables[name];
    if (value === undefined || value === "") return [];
    return [[name, name === "PALLIUM_HOME" ? dataHome : value] as const];
  });
  const job: WatchJob = {
    argv: [
      ...self,
      ...["workflow", "trigger", "watch", "--kind", kind],
      ...(once ? ["--once", "--background"] : ["--interval", interval]),
      ...(db === undefined ? [] : ["--db", resolve(cwd, db)]),
    ],
    environment: { HOME: home, ...Object.fromEntries(passedOn) },
    log: resolve(dataHome, "trigger-watch.log"),
  };
  const unfit = [...job.argv, ...Object.values(job.environment), job.log].find((text) =>
    CONTROL.test(text),
  );
  if (unfit === undefined) return job;
  throw new PalliumError(
    "trigger_install",
    `a service cannot name ${JSON.stringify(unfit)}: it has control characters`,
    { hints: ["have pallium, its data and what PATH names at paths without line breaks"] },
  );
}
