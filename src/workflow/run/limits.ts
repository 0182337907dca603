/** What keeps a runaway in bounds: the limits a user may set, and the ones in force. */
import { usageError } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { LOG_LINE_LIMIT, MESSAGE_LIMIT } from "../engine/protocol.ts";
import type { ScriptLimits } from "../engine/script-host.ts";

const KIB = 1024;
const MIB = 1024 * 1024;

/** As flags give them. They last for the life of a run: resume changes only what it names. */
export interface LimitFlags {
  /** Seconds a busy script may leave a ping unanswered. */
  readonly script_stall?: number;
  /** MiB the process may grow by while the script runs. */
  readonly script_memory?: number;
  /** MiB of one message between script and host. */
  readonly message_limit?: number;
  /** KiB of one `log` line. */
  readonly log_line_limit?: number;
  /** MiB a provider or check may write in one call. */
  readonly output_limit?: number;
  /** Seconds one execution of the run may take, from its start to the script's end. */
  readonly max_duration?: number;
}

/** Limits a user may set; absent ones keep what is stored, then the default. */
export interface RunLimits extends LimitFlags {
  readonly codex?: string;
  readonly max_agents?: number;
  readonly max_concurrent_agents?: number;
  /** Decimal US dollars. */
  readonly max_budget_usd?: string;
  /** Input and output tokens; 0 allows none. */
  readonly max_tokens?: number;
  /** How often a call is tried again whose provider was busy. */
  readonly retries?: number;
  /** Most agents of a provider at once, such as `codex=4,claude=2`. */
  readonly provider_concurrency?: string;
  /** Providers that stand in for one whose quota is used up, such as `codex,claude`. */
  readonly fallback?: string;
  /** Wait for a used-up quota and go on, in place of ending paused. */
  readonly resume_after_quota?: boolean;
  /** Seconds per agent, 0 for none. */
  readonly agent_timeout?: number;
  readonly allow_network?: boolean;
  /** Whether edits begin from what the user has not committed; for all the life of the run. */
  readonly include_dirty?: boolean;
  /** Folders of the checkout that working trees get a link to, such as `node_modules,.venv`. */
  readonly links?: string;
  readonly strict?: boolean;
  /** A line for the shell that is run when the run ends or waits for a person; empty for none. */
  readonly notify?: string;
  /** How many workflows deep a run may start; 1 allows only runs that no workflow's worker started. */
  readonly max_depth?: number;
}

export interface Limits {
  readonly script: ScriptLimits;
  readonly outputBytes: number;
  /** Absent for no limit. */
  readonly maxDurationSeconds?: number;
}

/** Of a run that was told nothing. */
export const RUN_DEFAULTS = {
  max_agents: 1000,
  max_concurrent_agents: 16,
  agent_timeout: 600,
  retries: 3,
} as const;

export const LIMIT_DEFAULTS = {
  script_stall: 10,
  script_memory: 512,
  message_limit: MESSAGE_LIMIT / MIB,
  log_line_limit: LOG_LINE_LIMIT / KIB,
  output_limit: 256,
} as const satisfies LimitFlags;

/** Most that a flag may ask for; a timer holds no more seconds, a string no more characters. */
export const HIGHEST_LIMITS: Readonly<Record<keyof LimitFlags, number>> = {
  script_stall: 86_400,
  script_memory: 1024 * 1024,
  message_limit: 256,
  log_line_limit: 1024,
  output_limit: 1024 * 1024,
  max_duration: 2_000_000,
};

const NAMES = Object.keys(HIGHEST_LIMITS) as (keyof LimitFlags)[];

/** @throws PalliumError `usage` for a value out of range. */
export function assertLimitFlags(flags: LimitFlags): void {
  for (const name of NAMES) {
    const value = flags[name];
    if (value === undefined || (value >= 1 && value <= HIGHEST_LIMITS[name])) continue;
    throw usageError(
      `--${name.replaceAll("_", "-")} must be between 1 and ${HIGHEST_LIMITS[name]}`,
    );
  }
}

/** The JSON text to keep: what was given now over what is kept already. */
export function keptLimits(given: LimitFlags, kept: string | undefined): string {
  const named = NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return JSON.stringify({ ...limitFlags(kept), ...Object.fromEntries(named) });
}

/** The limits in force for a run that kept these. */
export function limitsInForce(kept: string): Limits {
  const flags = { ...LIMIT_DEFAULTS, ...limitFlags(kept) };
  return {
    script: {
      stallMs: flags.script_stall * 1000,
      memoryBytes: flags.script_memory * MIB,
      messageCharacters: flags.message_limit * MIB,
      logLineCharacters: flags.log_line_limit * KIB,
    },
    outputBytes: flags.output_limit * MIB,
    ...(flags.max_duration === undefined ? {} : { maxDurationSeconds: flags.max_duration }),
  };
}

function limitFlags(kept: string | undefined): LimitFlags {
  return kept === undefined ? {} : (parseJson(kept) as LimitFlags);
}
