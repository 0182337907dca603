import type { ProcessRow, ProcessTable } from "./process-row.ts";

const COLUMNS = ["pid", "pgid", "stat", "lstart"];
/** Start times tell processes apart, also after the user has travelled to another time zone. */
const PS_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/** Lines that `ps` prints of these columns; none when it finds no such process. */
function ps(selection: readonly string[], columns: readonly string[]): readonly string[] {
  // One `-o` for each: behind the first "=" the rest of an argument is its heading.
  const format = columns.flatMap((column) => ["-o", `${column}=`]);
  const { stdout } = Bun.spawnSync(["/bin/ps", ...selection, ...format], { env: PS_ENVIRONMENT });
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
  return ps(["-p", String(pid)], COLUMNS)
    .map(parseRow)
    .at(0);
}

function find(matches: (row: ProcessRow) => boolean): readonly ProcessRow[] {
  return ps(["-ax"], COLUMNS)
    .map(parseRow)
    .filter((found) => found !== undefined)
    .filter(matches);
}

function startedWith(name: string): (pid: number) => readonly string[] {
  const start = `${name}=`;
  const values = new Map<number, readonly string[]>();
  for (const line of ps(["-axEww"], ["pid", "command"])) {
    const entries = line.split(" ").filter((word) => word.startsWith(start));
    if (entries.length === 0) continue;
    values.set(
      Number.parseInt(line, 10),
      entries.map((entry) => entry.slice(start.length)),
    );
  }
  return (pid) => values.get(pid) ?? [];
}

/** Processes by `ps`, whose `-E` adds the environment of the user's own processes. */
export const macosTable: ProcessTable = { row, find, startedWith };
