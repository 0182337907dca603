/** Tells somebody who is not watching that a run ended, or waits for a person: by a command of the user's. */
import { messageOf } from "../../lib/errors.ts";
import { oneLine } from "../../lib/one-line.ts";
import { capture } from "../../platform/process/capture.ts";
import type { RunRecord } from "./types.ts";

const TIMEOUT_MS = 30_000;
/** Variables of an environment must not be long. */
const TASK_LENGTH = 1000;
const OUTPUT_BYTES = 64 * 1024;

/** What happened; the command reads it as JSON on stdin, and its fields as variables. */
export type Notification =
  | { readonly event: "ended"; readonly run: RunRecord }
  | {
      readonly event: "gate";
      readonly run: Pick<RunRecord, "id" | "task">;
      readonly gate: string;
      readonly message: string;
    };

export type Notify = (notification: Notification) => Promise<void>;

export interface NotifyOptions {
  /** A line for the shell, or a program and its arguments; nobody is told without. */
  readonly command: string | readonly string[] | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly warn: (line: string) => void;
}

/** What keeps somebody from being told is a warning: it changes nothing about the run. */
export function createNotify({ command, cwd, env, warn }: NotifyOptions): Notify {
  if (command === undefined || command.length === 0) return async () => {};
  const argv = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  return async (notification) => {
    const { exitCode, stderr, timedOut } = await capture(argv, {
      cwd,
      env: { ...env, ...variablesOf(notification) },
      timeoutMs: TIMEOUT_MS,
      outputLimit: OUTPUT_BYTES,
      input: `${JSON.stringify(notification)}\n`,
    }).catch((error) => ({ exitCode: 1, stderr: messageOf(error), timedOut: false }));
    if (timedOut) warn(`the notification took longer than ${TIMEOUT_MS / 1000} s and was ended`);
    else if (exitCode !== 0) warn(`the notification failed with ${exitCode}: ${oneLine(stderr)}`);
  };
}

function variablesOf(notification: Notification): Record<string, string> {
  const { event, run } = notification;
  return {
    PALLIUM_EVENT: event,
    PALLIUM_RUN_ID: run.id,
    PALLIUM_RUN_TASK: oneLine(run.task, TASK_LENGTH),
    ...(event === "ended"
      ? { PALLIUM_RUN_STATUS: notification.run.status }
      : { PALLIUM_GATE: notification.gate }),
  };
}
