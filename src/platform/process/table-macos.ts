import type { ProcessRow, ProcessTable } from "./process-row.ts";

const COLUMNS = "pid=,pgid=,stat=,lstart=";

/** Lines that `ps` prints; none when it finds no such process. */
function ps(args: readonly string[]): readonly string[] {
  const { stdout } = Bun.spawnSync(["/bin/ps", ...args], { env: { LC_ALL: "C" } });
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

function parseRow(line: string): ProcessRow | undefined {
  const [pid, group, state, ...started] = line.trim().split(/\s+/);
  if (state === undefined) return undefined;
  return {
    pid: Number(pid),
    group: Number(group),
    session: null,
    startTime: started.join(" "),
    alive: !state.startsWith("Z"),
  };
}

function row(pid: number): ProcessRow | undefined {
  return ps(["-o", COLUMNS, "-p", String(pid)])
    .map(parseRow)
    .at(0);
}

function find(matches: (row: ProcessRow) => boolean): readonly ProcessRow[] {
  return ps(["-ax", "-o", COLUMNS])
    .map(parseRow)
    .filter((found) => found !== undefined)
    .filter(matches);
}

function startedWith(name: string, value: string): (pid: number) => boolean {
  const entry = ` ${name}=${value} `;
  const matching = ps(["-axEww", "-o", "pid=,command="])
    .filter((line) => `${line} `.includes(entry))
    .map((line) => Number.parseInt(line, 10));
  const pids = new Set(matching);
  return (pid) => pids.has(pid);
}

/** Processes by `ps`, whose `-E` adds the environment of the user's own processes. */
export const macosTable: ProcessTable = { row, find, startedWith };
