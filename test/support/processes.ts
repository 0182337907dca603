/** Real processes for tests: directories of their own, and who still runs. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessRequest } from "../../src/platform/process/supervisor.ts";

export interface ProcessSandbox {
  /** Absolute directory that only this test uses. */
  readonly root: string;
  path(...names: string[]): string;
  /** A request to run a command in `root`; every one gets a call directory and a marker of its own. */
  request(argv: readonly string[], changes?: Partial<ProcessRequest>): ProcessRequest;
  /** Removes the directory; throws when a process of one of the requests still runs. */
  close(): void;
}

export function openSandbox(): ProcessSandbox {
  const root = mkdtempSync(join(tmpdir(), "pallium-process-"));
  const markers: string[] = [];
  return {
    root,
    path: (...names) => join(root, ...names),
    request(argv, changes = {}) {
      const marker = changes.marker ?? `${root}/${markers.length}`;
      const dir = join(root, `call-${markers.length}`);
      markers.push(marker);
      mkdirSync(dir);
      return {
        argv,
        cwd: root,
        env: { PATH: process.env.PATH ?? "" },
        dir,
        stdinFile: null,
        stdoutFile: join(dir, "stdout"),
        stderrFile: join(dir, "stderr"),
        outputLimit: 1024 * 1024,
        marker,
        ...changes,
      };
    },
    close() {
      rmSync(root, { recursive: true });
      const left = markers.flatMap(runningWith);
      for (const pid of left) process.kill(pid, "SIGKILL");
      if (left.length > 0) throw new Error(`still running: ${left.join(", ")}`);
    },
  };
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** State letter of a process; empty when there is none. */
export function stateOf(pid: number): string {
  return /\) (\w)/.exec(readProc(pid, "stat"))?.[1] ?? "";
}

export function isRunning(pid: number): boolean {
  return !["", "Z", "X"].includes(stateOf(pid));
}

/** Waits until a shell has become the program it was told to `exec`: until then it reaps its children. */
export async function becomes(pid: number, program: string): Promise<void> {
  while (readProc(pid, "comm") !== `${program}\n`) await new Promise(setImmediate);
}

/** Running processes whose environment names a call. */
export function runningWith(marker: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => readProc(pid, "environ").split("\0").includes(`PALLIUM_CALL=${marker}`))
    .filter(isRunning);
}

/** Waits until a process that is nobody's child here has ended, for which there is no event. */
export async function processEnds(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(setImmediate);
}

/** The number in a file. */
export function numberIn(path: string): number {
  return Number(readFileSync(path, "utf8"));
}
