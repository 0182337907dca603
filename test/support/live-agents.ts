/** Processes that look like agents at work, their transcripts, and what a report says of them. */
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { programTable } from "../../src/platform/process/programs.ts";
import { createSecretScanner } from "../../src/secrets/scanner.ts";
import { liveReport } from "../../src/sessions/live/report.ts";
import type { LiveSession } from "../../src/sessions/live/types.ts";
import { reading } from "./reading.ts";
import { tempDir } from "./temp.ts";

export interface AgentOptions {
  /** What stands behind the program's name, and behind the script that it runs. */
  readonly args?: readonly string[];
  /** Files that it holds open, by their paths in the home. */
  readonly open?: readonly string[];
  /** A folder of the home. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where in the home the script lies that it runs. */
  readonly script?: string;
  /** The script itself, in place of one that opens the files, prints `ready` and waits for its end. */
  readonly program?: string;
}

export interface LiveAgents extends AsyncDisposable {
  readonly directory: string;
  /** Starts a process whose own name is this; resolves with its pid once it has its files open. */
  start(name: string, options?: AgentOptions): Promise<number>;
  /** Writes a transcript, records or texts a line each; `ageMs` ago, now without. */
  write(path: string, lines: readonly unknown[], ageMs?: number): Promise<string>;
  /** Sessions of the processes that were started here, and inactive ones of the home where asked for. */
  live(all?: boolean): Promise<readonly LiveSession[]>;
}

export async function liveAgents(): Promise<LiveAgents> {
  const temp = await tempDir();
  const stops: (() => Promise<unknown>)[] = [];
  const pids = new Set<number>();
  return {
    directory: temp.path,
    start: async (name, options = {}) => {
      const { args = [], open = [], cwd = ".", env = {} } = options;
      const script = join(temp.path, options.script ?? `agent-${stops.length}`);
      await mkdir(dirname(script), { recursive: true });
      await mkdir(join(temp.path, cwd), { recursive: true });
      await writeFile(script, options.program ?? WAITS);
      const files = open.map((path) => join(temp.path, path));
      const child = Bun.spawn(["/bin/sh", script, ...args], {
        argv0: name,
        cwd: join(temp.path, cwd),
        env: { PATH: process.env.PATH ?? "", HOME: temp.path, ...env, ...filesOf(files) },
        stdin: "pipe",
        stdout: "pipe",
      });
      stops.push(async () => {
        child.stdin.end();
        await child.exited;
      });
      await reading(child.stdout).until("ready");
      pids.add(child.pid);
      return child.pid;
    },
    write: async (path, lines, ageMs = 0) => {
      const absolute = join(temp.path, path);
      await mkdir(dirname(absolute), { recursive: true });
      const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      await writeFile(absolute, texts.join("\n"));
      const then = new Date(Date.now() - ageMs);
      await utimes(absolute, then, then);
      return absolute;
    },
    live: async (all = false) => {
      const problems: string[] = [];
      const { sessions } = await liveReport(
        {
          environment: {
            argv: [],
            variables: {},
            cwd: temp.path,
            home: temp.path,
            stdoutIsTerminal: false,
            stderrIsTerminal: false,
            self: [],
          },
          clock: systemClock(),
          machine: "here",
          programs: programTable,
          scanner: createSecretScanner(),
          problem: (line) => void problems.push(line),
        },
        { all },
      );
      if (problems.length > 0) throw new Error(problems.join("\n"));
      return sessions.filter(
        ({ pid, session_cwd: cwd = "" }) =>
          pid === undefined || pids.has(pid) || cwd.startsWith(temp.path),
      );
    },
    [Symbol.asyncDispose]: async () => {
      for (const stop of stops) await stop();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** Opens what `FIRST` and `SECOND` name, where they do. */
export const WAITS = `exec 3>>"\${FIRST:-/dev/null}" 4>>"\${SECOND:-/dev/null}"; echo ready; read line`;

function filesOf([first = "", second = ""]: readonly string[]): Record<string, string> {
  return { FIRST: first, SECOND: second };
}

const NOW = () => new Date().toISOString();

/** Where Codex has the transcript of a session. */
export function rolloutPath(id: string, home = ".codex"): string {
  return `${home}/sessions/2026/12/03/rollout-2026-12-03T10-00-00-${id}.jsonl`;
}

/** The first records of a session of Codex. */
export function codexRecords(
  id: string,
  ask: string,
  { cwd = "/repo", at = NOW(), meta = {} }: { cwd?: string; at?: string; meta?: object } = {},
): readonly object[] {
  return [
    { timestamp: at, type: "session_meta", payload: { id, cwd, ...meta } },
    { timestamp: at, type: "event_msg", payload: { type: "user_message", message: ask } },
  ];
}

export function codexCommand(input: object, at = NOW()): object {
  const payload = { type: "function_call", name: "exec_command", arguments: JSON.stringify(input) };
  return { timestamp: at, type: "response_item", payload };
}

export function claudePath(id: string, project = "-repo", home = ".claude"): string {
  return `${home}/projects/${project}/${id}.jsonl`;
}

export function claudeRecord(
  id: string,
  content: unknown,
  { cwd = "/repo", at = NOW(), type = "user" }: { cwd?: string; at?: string; type?: string } = {},
): object {
  const message = { role: type, content };
  return { type, sessionId: id, cwd, gitBranch: "main", timestamp: at, message };
}
