/** The environment that workers and checks are started in. */
import { withoutRedirections } from "../platform/git/redirections.ts";

/** What a configured provider is told about its call, each behind `PALLIUM_WORKFLOW_`. */
const CALL_VARIABLES = [
  "RUN_ID",
  "AGENT_ID",
  "PROVIDER",
  "LABEL",
  "MODE",
  "MODEL",
  "EFFORT",
  "SESSION",
  "REPO",
  "CWD",
  "PROMPT",
  "PROMPT_FILE",
  "OUTPUT_FILE",
  "SCHEMA_FILE",
  "USAGE_FILE",
  "NETWORK",
] as const;
export type CallVariable = (typeof CALL_VARIABLES)[number];

export interface WorkerEnvironmentOptions {
  /** How deep in workflows the runner itself is; 0 at the top. */
  readonly depth: number;
  /** The user's own time zone; `undefined` where `TZ` was not set. */
  readonly originalTz: string | undefined;
}

/** Bun reads these in any program compiled with it. */
const RUNTIME_VARIABLES = ["BUN_OPTIONS", "BUN_BE_BUN"];

const SECRET = /^PALLIUM_.*(TOKEN|SECRET|KEY|PASSWORD)/;
const PROVIDER_COMMAND = /^PALLIUM_WORKFLOW_PROVIDER_.+_COMMAND$/;

/** `PROVIDER` is left out: inherited, it is the user's choice of a default. */
const INHERITED_CALL = new Set(
  CALL_VARIABLES.filter((name) => name !== "PROVIDER").map((name) => `PALLIUM_WORKFLOW_${name}`),
);

/**
 * The user's environment without pallium's secrets, without what an outer call was told, and without
 * git's redirections to the repository of a hook; one workflow deeper.
 */
export function workerEnvironment(
  variables: Readonly<Record<string, string>>,
  { depth, originalTz }: WorkerEnvironmentOptions,
): Record<string, string> {
  const { TZ: _, ...kept } = withoutRedirections(withoutOwn(variables));
  return {
    ...kept,
    ...(originalTz === undefined ? {} : { TZ: originalTz }),
    PALLIUM_WORKFLOW_DEPTH: String(depth + 1),
  };
}

/** The user's environment without pallium's secrets and without what an outer call was told. */
export function withoutOwn(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isForWorkers(name)));
}

function isForWorkers(name: string): boolean {
  if (RUNTIME_VARIABLES.includes(name) || INHERITED_CALL.has(name)) return false;
  return PROVIDER_COMMAND.test(name) || !SECRET.test(name);
}
