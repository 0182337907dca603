/** A Worker that is told text only, in an empty environment. */

export interface WorkerEvents {
  /** Called with what the worker posted; it can be anything, so it must be checked. */
  onPost(data: unknown): void;
  /** The worker could not start, threw outside of any promise, or ended by itself. Called once. */
  onError(message: string): void;
}

export interface TextWorker {
  postText(text: string): void;
  /** Ends the worker at once, also a busy one; nothing is called any more. */
  terminate(): void;
}

/** @param entry the worker's program, as `app/assets` names it. */
export function startWorker(entry: string | URL, events: WorkerEvents): TextWorker {
  const worker = new Worker(entry, { env: {}, ref: true });
  let over = false;
  const fail = (message: string) => {
    if (over) return;
    over = true;
    worker.terminate();
    events.onError(message);
  };
  worker.onmessage = ({ data }: MessageEvent) => {
    if (!over) events.onPost(data);
  };
  worker.onmessageerror = () => fail("the worker posted what cannot be copied");
  worker.onerror = (event) => {
    event.preventDefault();
    fail(event.message);
  };
  worker.addEventListener("close", () => fail("the worker ended"));
  return {
    postText: (text) => {
      if (!over) worker.postMessage(text);
    },
    terminate: () => {
      if (over) return;
      over = true;
      worker.terminate();
    },
  };
}
