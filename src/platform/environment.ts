/**
 * The process's surroundings as a value. Only `app/env.ts` reads the real ones; everything else
 * is handed this, so that tests and servers can have their own.
 */
export interface Environment {
  /** Arguments after the program's own name. */
  readonly argv: readonly string[];
  /** Environment variables as they were at start. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute current directory. */
  readonly cwd: string;
  /** Absolute home directory of the user; empty where there is none. */
  readonly home: string;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Characters in a line of the terminal behind stdout; absent where there is none. */
  readonly columns?: number;
  /** How to start this very program again: one path when compiled, runtime and entry from source. */
  readonly self: readonly string[];
}
