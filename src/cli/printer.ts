/** Everything a person reads while a command works; it goes to stderr, stdout is for data. */
import { printable } from "../lib/printable.ts";

export interface Printer {
  /** Says how the work goes on, and prints `log` lines of workflows; `--quiet` leaves it out. */
  progress(line: string): void;
  /** Says what is wrong but does not end the command. */
  warn(line: string): void;
  /** Says what the user should know. */
  notice(line: string): void;
  /** Resolves when every line so far has been handed on. */
  flush(): Promise<void>;
}

/** How warnings and notices look on a terminal. */
export interface Badges {
  warn(line: string): void;
  notice(line: string): void;
}

/** Most characters of progress that are kept for a reader that is slower than the work. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

export interface PrinterOptions {
  readonly quiet: boolean;
  readonly terminal: boolean;
  readonly write: (text: string) => void;
  /** Characters that were written and that nobody has taken yet. */
  readonly waiting: () => number;
  /** Loads the badges when the first one is needed; absent where lines are to stay plain. */
  readonly loadBadges?: () => Promise<Badges>;
}

function plainBadges(write: (text: string) => void): Badges {
  return {
    warn: (line) => write(`warning: ${line}\n`),
    notice: (line) => write(`${line}\n`),
  };
}

/** Makes the printer of one command. Lines keep their order while the badges are loading. */
export function createPrinter(options: PrinterOptions): Printer {
  const { loadBadges, write } = options;
  const shown = (line: string) => (options.terminal ? printable(line) : line);
  let badges = loadBadges === undefined ? plainBadges(write) : undefined;
  let loading: Promise<void> | undefined;
  let leftOut = 0;
  const waiting: ((loaded: Badges) => void)[] = [];

  async function load(): Promise<void> {
    const loaded = loadBadges === undefined ? plainBadges(write) : await loadBadges();
    badges = loaded;
    for (const print of waiting.splice(0)) print(loaded);
  }

  function withBadges(print: (loaded: Badges) => void): void {
    if (badges !== undefined) {
      print(badges);
      return;
    }
    waiting.push(print);
    loading ??= load();
  }

  /** Says how many lines are missing at this place, if any. */
  function mark(): void {
    if (leftOut === 0) return;
    const line = `lines of progress left out here, since nobody read them in time: ${leftOut}`;
    leftOut = 0;
    withBadges((loaded) => loaded.warn(line));
  }

  return {
    progress: (line) => {
      if (options.quiet) return;
      if (options.waiting() > BACKLOG_LIMIT) {
        leftOut += 1;
        return;
      }
      mark();
      const print = () => write(`${shown(line)}\n`);
      if (loading === undefined) print();
      else withBadges(print);
    },
    warn: (line) => withBadges((loaded) => loaded.warn(shown(line))),
    notice: (line) => withBadges((loaded) => loaded.notice(shown(line))),
    flush: async () => {
      mark();
      await loading;
    },
  };
}
