import { readdirSync, readlinkSync } from "node:fs";
import { PalliumError } from "../../lib/errors.ts";
import { systemCode } from "../file-error.ts";
import { readProc, statFields, unlessHidden } from "./proc-files.ts";
import type { OpenFiles, ProgramTable, RunningProgram } from "./program.ts";

/** Of the clock in which the kernel tells start times, on every machine there is a Bun for. */
const TICK_MS = 10;
const PARENT = 4;
const TERMINAL = 7;
const STARTED = 22;

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch (error) {
    throw new PalliumError(
      "process_table",
      `the processes cannot be listed (${systemCode(error)})`,
      {
        cause: error,
        hints: ["mount /proc: what runs is told by it"],
      },
    );
  }
}

/** Arguments of a program; none of a process without one, such as those of the kernel. */
function argvOf(pid: number): readonly string[] {
  const text = readProc(`${pid}/cmdline`) ?? "";
  if (text === "") return [];
  return Buffer.from(text, "latin1").toString("utf8").replace(/\0$/, "").split("\0");
}

/** Numbers of devices, from Linux's list of them. */
const PSEUDO_TERMINALS = 136;
const PSEUDO_TERMINALS_END = 144;
const CONSOLES = 4;

/** The name that `ps` has for a terminal, by its device; empty for none. */
export function terminalName(device: number): string {
  if (device === 0) return "";
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= PSEUDO_TERMINALS && major < PSEUDO_TERMINALS_END) {
    return `pts/${(major - PSEUDO_TERMINALS) * 256 + minor}`;
  }
  return major === CONSOLES ? `tty${minor}` : `${major}:${minor}`;
}

/** Start times count from the start of the machine; this process knows its own in both ways. */
function clockOf(): (ticks: number) => number {
  const own = Number(statFields(process.pid)?.(STARTED) ?? 0);
  return (ticks) => performance.timeOrigin - (own - ticks) * TICK_MS;
}

function find(wanted: (argv: readonly string[]) => boolean): readonly RunningProgram[] {
  const startedMs = clockOf();
  return pids().flatMap((pid) => {
    const argv = argvOf(pid);
    if (argv.length === 0 || !wanted(argv)) return [];
    const field = statFields(pid);
    if (field === undefined) return [];
    return [
      {
        pid,
        parent: Number(field(PARENT)),
        tty: terminalName(Number(field(TERMINAL))),
        startedMs: startedMs(Number(field(STARTED))),
        argv,
      },
    ];
  });
}

function openFilesOf(pid: number): OpenFiles {
  const folder = `/proc/${pid}/fd`;
  const descriptors = unlessHidden(() => readdirSync(folder));
  return {
    cwd: unlessHidden(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "",
    paths: descriptors
      ?.map((name) => unlessHidden(() => readlinkSync(`${folder}/${name}`)))
      .filter((path) => path?.startsWith("/") === true)
      .filter((path) => path !== undefined),
  };
}

/** Programs by /proc. */
export const linuxPrograms: ProgramTable = {
  find,
  openFiles: (wanted) => new Map(wanted.map((pid) => [pid, openFilesOf(pid)])),
};
