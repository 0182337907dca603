/** Bounds how many holders there are at once; the waiting ones are served first come, first served. */
export interface Semaphore {
  /** Resolves with the function that gives the slot back. */
  acquire(): Promise<() => void>;
}

export function createSemaphore(slots: number): Semaphore {
  let free = slots;
  // A queue with a moving head: shifting an array of thousands for each slot would be quadratic.
  let waiting: ((release: () => void) => void)[] = [];
  let head = 0;

  function slot(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = waiting[head];
      if (next === undefined) {
        free += 1;
        return;
      }
      head += 1;
      if (head === waiting.length) {
        waiting = [];
        head = 0;
      }
      next(slot());
    };
  }

  return {
    acquire() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(slot());
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
