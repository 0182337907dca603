/** Triggers as users see them in JSON. Absent fields were empty. */
import type { BackgroundRun } from "../run/background.ts";
import type { Snapshot } from "../run/types.ts";

export const TRIGGER_KINDS = ["manual", "on-changed", "on-commit", "interval", "cron"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** What a watch can be narrowed to. */
export const WATCH_KINDS = [
  "on-changed",
  "on-commit",
  "interval",
  "cron",
  "all",
  "manual",
] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

export interface TriggerRecord {
  readonly name: string;
  readonly kind: TriggerKind;
  readonly task: string;
  /** Canonical. */
  readonly cwd: string;
  readonly workflow_name?: string;
  /** Absolute. */
  readonly script_path?: string;
  readonly args_json?: string;
  /** A length of time such as `15m` for `interval`, a pattern of five fields for `cron`. */
  readonly schedule?: string;
  /** IANA name, for `cron`. */
  readonly time_zone?: string;
  /** Patterns as in `.gitignore`, from the top of the repository: the only files that count. */
  readonly paths?: readonly string[];
  readonly enabled: boolean;
  readonly last_run_id?: string;
  readonly last_ran_at?: string;
  readonly last_fingerprint?: string;
  readonly next_due_at?: string;
  readonly created_at: string;
  /** When its definition was last changed. */
  readonly updated_at: string;
}

/** A trigger that did not fire. Field names in the order of the alphabet, as they always were. */
export interface SkippedTrigger {
  readonly last_run_id: string;
  readonly name: string;
  readonly next_due_at?: string;
  readonly reason: "unchanged" | "not_due";
  readonly skipped: true;
}

export interface FailedTrigger {
  readonly name: string;
  readonly code: string;
  readonly error: string;
}

export type StartedTrigger = (Snapshot | BackgroundRun) & {
  readonly name: string;
  /** Times that passed before this one without a run, which stands for them. */
  readonly missed?: number;
};

/** One cycle of a watch. */
export interface WatchReport {
  readonly background: boolean;
  readonly checked: number;
  /** UTC, whole seconds. */
  readonly checked_at: string;
  readonly errors: number;
  readonly kind: WatchKind;
  /** Absent where no other cycle follows. */
  readonly next_check?: string;
  readonly results?: readonly (StartedTrigger | SkippedTrigger | FailedTrigger)[];
  readonly skipped: number;
  readonly started: number;
}

export const SERVICE_MANAGERS = ["systemd", "launchd", "cron"] as const;
export type ServiceManager = (typeof SERVICE_MANAGERS)[number];
export const SERVICE_STATES = ["printed", "installed", "uninstalled", "absent"] as const;

/** The watch as a service of the operating system. */
export interface TriggerService {
  readonly as: ServiceManager;
  /** `absent`: there was nothing to take out. */
  readonly state: (typeof SERVICE_STATES)[number];
  /** Absolute; cron has no file of ours. */
  readonly path?: string;
  /** The file, or the line of the crontab. */
  readonly content: string;
  /** Commands that failed, and are left to the user. */
  readonly to_do: readonly string[];
}
