/** A program that runs, by how it was started. */
export interface RunningProgram {
  readonly pid: number;
  /** Pid of the process that started it, or of the one that took it over. */
  readonly parent: number;
  /** Such as `pts/3`; empty where it has no terminal. */
  readonly tty: string;
  /** In milliseconds since 1970, give or take a second. */
  readonly startedMs: number;
  /** Its own name or path first. It may have put another text in its place. */
  readonly argv: readonly string[];
}

export interface OpenFiles {
  /** Absolute; empty where that is not ours to know. */
  readonly cwd: string;
  /** Absolute paths, in no order; `undefined` where they are not ours to know. */
  readonly paths: readonly string[] | undefined;
}

/** The programs this process can see, looked at afresh by every call. */
export interface ProgramTable {
  find(wanted: (argv: readonly string[]) => boolean): readonly RunningProgram[];
  /** By pid; one that has ended meanwhile is left out. */
  openFiles(pids: readonly number[]): ReadonlyMap<number, OpenFiles>;
}
