/** Bounds how many holders there are at once; the waiting ones are served first come, first served. */
export interface Semaphore {
  /**
   * Resolves with the function that gives the slot back.
   * @param returning goes before all that do not: for who had a slot and left it to others meanwhile.
   */
  acquire(returning?: boolean): Promise<() => void>;
}

type Grant = (release: () => void) => void;

export function createSemaphore(slots: number): Semaphore {
  let free = slots;
  const returningQueue = createQueue<Grant>();
  const queue = createQueue<Grant>();

  function slot(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = returningQueue.shift() ?? queue.shift();
      if (next === undefined) free += 1;
      else next(slot());
    };
  }

  return {
    acquire(returning = false) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(slot());
      }
      return new Promise((resolve) => (returning ? returningQueue : queue).push(resolve));
    },
  };
}

/** Has a moving head: shifting an array of thousands for each slot would be quadratic. */
function createQueue<T>() {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item: T) => void items.push(item),
    shift(): T | undefined {
      const item = items[head];
      head += 1;
      if (head >= items.length) {
        items = [];
        head = 0;
      }
      return item;
    },
  };
}
