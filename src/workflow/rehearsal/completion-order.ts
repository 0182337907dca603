/** Decides in which order the calls of a script are answered: one at a time, when it asks for no more. */

/** Which of so many waiting calls, the longest waiting first, is answered next. */
export type Choice = (waiting: number) => number;

export interface CompletionOrder {
  /** Resolves when the call is the one to be answered. */
  turn(): Promise<void>;
  /** A script runs; `caughtUp` resolves when it has done all that the answers sent so far let it do. */
  watch(caughtUp: () => Promise<void>): void;
}

export function createCompletionOrder(choose: Choice): CompletionOrder {
  const scripts: (() => Promise<void>)[] = [];
  const waiting: (() => void)[] = [];
  let asked = 0;
  let isChoosing = false;

  async function answerAll(): Promise<void> {
    isChoosing = true;
    while (waiting.length > 0) {
      const before = asked;
      // Answers are sent to scripts in reactions to the turn that was given last.
      await new Promise(setImmediate);
      await Promise.all(scripts.map((caughtUp) => caughtUp()));
      if (asked > before) continue;
      const [next] = waiting.splice(choose(waiting.length), 1);
      next?.();
    }
    isChoosing = false;
  }

  return {
    turn() {
      asked += 1;
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (!isChoosing) void answerAll();
      });
    },
    watch: (caughtUp) => void scripts.push(caughtUp),
  };
}
