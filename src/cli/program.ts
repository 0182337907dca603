/** What the process edge hands to the command line; the command line reaches for nothing else. */
import type { Json } from "../lib/json.ts";
import type { Services } from "../operations/services.ts";
import type { Environment } from "../platform/environment.ts";
import type { Interrupts, TerminalSize } from "./command.ts";
import type { Badges } from "./printer.ts";

export const PROGRAM_NAME = "pallium";

/** What `pallium version --json` prints. */
export type VersionInfo = {
  readonly module: string;
  readonly version: string;
  /** Commit of a release build; absent from source. */
  readonly commit?: string;
  readonly bun: string;
  /** Operating system and processor, such as `linux-x64`. */
  readonly platform: string;
  /** The program file: the executable, or the entry when it runs from source. */
  readonly executable: string;
};

export interface Output {
  /**
   * Writes data for the caller and resolves when all of it is out. A reader that has gone away is
   * no error; anything else that keeps it from being written is an `output_failed`.
   * @returns whether anybody still reads.
   */
  data(data: string | Uint8Array): Promise<boolean>;
  /** Writes messages for a person, in order, without waiting. */
  message(text: string): void;
  /** Characters of messages that nobody has taken yet. */
  waiting(): number;
  /** Aborted once whoever read the data has gone away, though nothing is written; asked for by what waits. */
  readerGone(): Promise<AbortSignal>;
  /** Asks whoever sits at the terminal; `undefined` where nobody does. */
  confirm(question: string, signal: AbortSignal): Promise<boolean | undefined>;
  /** The one behind stdout, where it is one. */
  readonly terminal: Terminal;
}

export interface Terminal {
  size(): TerminalSize;
  /** Calls back when the size has changed, until the returned function is called. */
  onResize(listener: () => void): () => void;
}

export interface Program {
  readonly environment: Environment;
  readonly version: VersionInfo;
  readonly output: Output;
  readonly interrupts: Interrupts;
  /** Loads what marks warnings and notices on a terminal. */
  readonly loadBadges: () => Promise<Badges>;
  /** Called at most once, when a command first asks; `announce` is told what the user should know. */
  readonly createServices: (announce: (line: string) => void) => Promise<Services>;
  /** JSON Schema of what an operation returns. */
  readonly outputSchema: (operation: string) => Promise<Json>;
}
