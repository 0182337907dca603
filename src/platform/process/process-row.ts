/** One process as the operating system lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  /** Id of the session; `null` where the system does not tell. */
  readonly session: number | null;
  /** When it started, in the system's own notation: equal texts are the same moment. */
  readonly startTime: string;
  /** False for a zombie, which runs no more and waits only to be reaped. */
  readonly alive: boolean;
}

/** The processes this one can see, read afresh by every call. */
export interface ProcessTable {
  row(pid: number): ProcessRow | undefined;
  /** All processes for which `matches` holds. One that forks and ends meanwhile hides no child. */
  find(matches: (row: ProcessRow) => boolean): readonly ProcessRow[];
  /**
   * Tells of a pid with which values of a variable that process was started: none for one that is
   * not ours to read, several where its environment has several. Values with white space do not count.
   */
  startedWith(name: string): (pid: number) => readonly string[];
}
