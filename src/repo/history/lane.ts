/** One of several processes that read commits side by side. */
import { createLogParser, type LogCommit } from "./log-parser.ts";

/** A process that is ahead of the others waits while so many of its commits do. */
const MOST_WAITING = 500;

/** Commits go in as hashes, and come out read. */
export interface Lane {
  /** Asks for a commit. */
  ask(hash: string): void;
  /** Says that no other will be asked for. */
  askNoMore(): void;
  /** The next of its commits, in the order asked; `undefined` when it has not come yet. */
  take(): LogCommit | undefined;
  /**
   * Reads what is asked for until there is no more; nothing is started before the first.
   * @param start begins the process that reads hashes, a line each, and prints the commits.
   * @param onCommits is called when some have come.
   */
  read(
    start: (input: AsyncIterable<string>) => AsyncIterable<Uint8Array>,
    onCommits: () => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** One that has not been asked for anything, and has started nothing. */
export function createLane(): Lane {
  const asked = createQueue<string>();
  const commits = createQueue<LogCommit>();
  const more = createBell();
  const room = createBell();
  let isComplete = false;

  async function* input(): AsyncGenerator<string> {
    for (;;) {
      const hashes = asked.takeAll();
      if (hashes.length > 0) yield `${hashes.join("\n")}\n`;
      else if (isComplete) return;
      else await more.rung();
    }
  }

  return {
    ask(hash) {
      asked.put(hash);
      more.ring();
    },
    askNoMore() {
      isComplete = true;
      more.ring();
    },
    take() {
      const commit = commits.take();
      if (commits.size() < MOST_WAITING) room.ring();
      return commit;
    },
    async read(start, onCommits, signal) {
      const stop = () => {
        isComplete = true;
        more.ring();
        room.ring();
      };
      signal.addEventListener("abort", stop, { once: true });
      if (asked.size() === 0 && !isComplete && !signal.aborted) await more.rung();
      if (asked.size() === 0) return;
      const parser = createLogParser(commits.put);
      for await (const chunk of start(input())) {
        parser.push(chunk);
        onCommits();
        while (commits.size() >= MOST_WAITING && !signal.aborted) await room.rung();
      }
      parser.end();
      onCommits();
    },
  };
}

interface Queue<T> {
  put(item: T): void;
  take(): T | undefined;
  takeAll(): readonly T[];
  size(): number;
}

/** First in, first out, without moving the others at each step. */
function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let first = 0;
  return {
    put: (item) => {
      items.push(item);
    },
    take() {
      const item = items[first];
      if (item === undefined) return undefined;
      first += 1;
      if (first === items.length) {
        items = [];
        first = 0;
      }
      return item;
    },
    takeAll() {
      const all = items.slice(first);
      items = [];
      first = 0;
      return all;
    },
    size: () => items.length - first,
  };
}

interface Bell {
  /** Resolves at the next ring. */
  rung(): Promise<void>;
  ring(): void;
}

function createBell(): Bell {
  let waiting = Promise.withResolvers<void>();
  return {
    rung: () => waiting.promise,
    ring() {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
  };
}
