/** The processes of calls: where their files are, and how one is started or taken over. */
import { join } from "node:path";
import { listDirectories } from "../../platform/files.ts";
import { adoptProcess, leftBehind } from "../../platform/process/adopt.ts";
import { createLooks, type Looks } from "../../platform/process/looks.ts";
import { endRecorded } from "../../platform/process/recorded.ts";
import {
  type ProcessEnd,
  type ProcessRequest,
  runProcess,
} from "../../platform/process/supervisor.ts";
import type { Execution } from "./execution.ts";

type Run = Pick<Execution, "runId" | "directory">;

/** Directory of one call's files. */
export function callDirectory({ directory }: Pick<Run, "directory">, callId: string): string {
  return join(directory, "calls", callId);
}

/** Run and call that a marker names. */
export function markedCall(marker: string): { readonly runId: string; readonly callId: string } {
  const [runId = "", callId = ""] = marker.split("/");
  return { runId, callId };
}

/**
 * Names a call in the environment of its processes, so that a later runner can tell them. Attempts
 * have names of their own: what is left of the first is ended without touching the second.
 */
export function callMarker(runId: string, callId: string, attempt = ""): string {
  return attempt === "" ? `${runId}/${callId}` : `${runId}/${callId}/${attempt}`;
}

/** Whether an earlier runner left a process of this call, or the end of one. */
export function callLeftBehind(
  run: Run & Pick<Execution, "looks">,
  callId: string,
): Promise<boolean> {
  return leftBehind(callDirectory(run, callId), callMarker(run.runId, callId), run.looks);
}

/** Ends what still runs of calls whose runner died: nobody waits for them any more. */
export async function endCalls(
  run: Run,
  calls: readonly { readonly callId: string }[],
): Promise<void> {
  const looks = createLooks();
  await Promise.all(calls.map(({ callId }) => endCall(run, callId, looks)));
}

async function endCall(run: Run, callId: string, looks: Looks): Promise<void> {
  const directory = callDirectory(run, callId);
  const attempts = ["", ...(await listDirectories(directory))];
  for (const attempt of attempts) {
    await endRecorded(join(directory, attempt), callMarker(run.runId, callId, attempt), looks);
  }
}

/** Milliseconds that a call of so many seconds has left; `undefined` for no limit. */
export function remainingMs(
  { clock }: Execution,
  timeoutSeconds: number,
  startedAt: Date | undefined,
): number | undefined {
  if (timeoutSeconds <= 0) return undefined;
  const elapsed = startedAt === undefined ? 0 : clock.now().getTime() - startedAt.getTime();
  return Math.max(1, timeoutSeconds * 1000 - elapsed);
}

export interface ChildOptions {
  /** Take over what an earlier runner left, if there is anything. */
  readonly adopt: boolean;
  /** Writes the files the process reads; not called for one that has them already. */
  readonly prepare: () => Promise<void>;
}

export async function runChild(
  request: ProcessRequest,
  signal: AbortSignal,
  { adopt, prepare }: ChildOptions,
): Promise<ProcessEnd> {
  const adopted = adopt ? await adoptProcess(request, signal) : undefined;
  if (adopted !== undefined) return adopted;
  await prepare();
  return runProcess(request, signal);
}
