import { PalliumError } from "../../lib/errors.ts";
import { systemCode } from "../file-error.ts";
import type { OpenFiles, ProgramTable, RunningProgram } from "./program.ts";

const PS = "/bin/ps";
const LSOF = "/usr/sbin/lsof";
const ENVIRONMENT = { LC_ALL: "C" };

/** What a tool of the system prints; `undefined` where it cannot be started. */
function printed(program: string, args: readonly string[]): string | undefined {
  try {
    return Bun.spawnSync([program, ...args], { env: ENVIRONMENT }).stdout.toString();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

const ELAPSED = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$|^(\d+)$/;

/** Seconds of a time such as `2-03:04:05`, `03:04:05` or `04:05`; `undefined` where it is none. */
export function elapsedSeconds(text: string): number | undefined {
  const match = ELAPSED.exec(text.trim());
  if (match === null) return undefined;
  const [, days, hours, minutes, seconds, bare] = match.map((part) => Number(part ?? 0));
  return (
    (bare ?? 0) + (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
  );
}

const ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.+)$/;

/**
 * @param names lines of `ps -axo pid=,ppid=,tty=,etime=,comm=`, whose last column is the path of the program.
 * @param commands lines of `ps -axo pid=,command=`: the same path and its arguments.
 */
export function readPrograms(
  names: string,
  commands: string,
  nowMs: number,
): readonly RunningProgram[] {
  const lines = new Map(
    commands
      .split("\n")
      .map((line) => [Number.parseInt(line, 10), line.trim().replace(/^\d+\s+/, "")]),
  );
  return names.split("\n").flatMap((line) => {
    const [, pid = "", parent = "", tty = "", etime = "", path = ""] = ROW.exec(line) ?? [];
    const seconds = elapsedSeconds(etime);
    if (seconds === undefined) return [];
    const program = path.trim();
    const command = lines.get(Number(pid)) ?? program;
    // Where a program has put a text of its own in place of its arguments, that text is all there is.
    const argv = command.startsWith(program)
      ? [program, ...command.slice(program.length).split(" ").filter(Boolean)]
      : command.split(" ");
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        tty: tty.startsWith("?") ? "" : tty,
        startedMs: nowMs - seconds * 1000,
        argv,
      },
    ];
  });
}

/** @param text what `lsof -Ffn` prints: `p` and a pid, then `f` and `n` for each file of that process. */
export function readOpenFiles(text: string): ReadonlyMap<number, OpenFiles> {
  const found = new Map<number, { cwd: string; paths: string[] }>();
  let files = { cwd: "", paths: [] as string[] };
  let descriptor = "";
  for (const line of text.split("\n")) {
    const value = line.slice(1);
    if (line.startsWith("p")) {
      files = { cwd: "", paths: [] };
      found.set(Number(value), files);
    } else if (line.startsWith("f")) descriptor = value;
    else if (line.startsWith("n/")) {
      if (descriptor === "cwd") files.cwd = value;
      else files.paths.push(value);
    }
  }
  return found;
}

function find(wanted: (argv: readonly string[]) => boolean): readonly RunningProgram[] {
  const names = printed(PS, ["-axo", "pid=,ppid=,tty=,etime=,comm="]);
  const commands = printed(PS, ["-axwwo", "pid=,command="]);
  if (names === undefined || commands === undefined) {
    throw new PalliumError("process_table", `the processes cannot be listed: ${PS} does not run`, {
      hints: [`look whether ${PS} can be run by hand`],
    });
  }
  return readPrograms(names, commands, Date.now()).filter(({ argv }) => wanted(argv));
}

function openFiles(pids: readonly number[]): ReadonlyMap<number, OpenFiles> {
  if (pids.length === 0) return new Map();
  const text = printed(LSOF, ["-n", "-P", "-w", "-p", pids.join(","), "-Ffn"]);
  if (text !== undefined) return readOpenFiles(text);
  return new Map(pids.map((pid) => [pid, { cwd: "", paths: undefined }]));
}

/** Programs by `ps`, and `lsof` for what they have open; without the latter that is unknown. */
export const macosPrograms: ProgramTable = { find, openFiles };
