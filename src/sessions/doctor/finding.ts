/** What a look at session memory has found, each with what to do about it. */
export interface Finding {
  /** Whether something is wrong; else it is only good to know. */
  readonly is_problem: boolean;
  /** A stable name of the kind of thing. */
  readonly code: string;
  readonly what: string;
  /** What to do, a command where there is one. */
  readonly next: string;
}

export function problem(code: string, what: string, next: string): Finding {
  return { is_problem: true, code, what, next };
}

export function note(code: string, what: string, next: string): Finding {
  return { is_problem: false, code, what, next };
}
