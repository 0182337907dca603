/** Has a worker say when it has done all that it was told before. */
import { ProtocolViolation } from "./protocol.ts";

export interface Echoes {
  /** Resolves once the worker has come to this point, or is ended. */
  wait(): Promise<void>;
  /** The worker listens from now on. */
  begin(): void;
  /** @throws ProtocolViolation for a number that was not sent. */
  answered(nonce: number): void;
  /** The worker is ended: nothing more comes of it. */
  stop(): void;
}

/** @param send asks for one echo. */
export function createEchoes(send: (nonce: number) => void): Echoes {
  const waiting = new Map<number, () => void>();
  let last = 0;
  let listens = false;
  let over = false;
  return {
    wait() {
      if (over) return Promise.resolve();
      last += 1;
      const nonce = last;
      if (listens) send(nonce);
      return new Promise((resolve) => waiting.set(nonce, resolve));
    },
    begin() {
      listens = true;
      for (const nonce of waiting.keys()) send(nonce);
    },
    answered(nonce) {
      const resolve = waiting.get(nonce);
      if (resolve === undefined)
        throw new ProtocolViolation("script worker sent an echo of nothing");
      waiting.delete(nonce);
      resolve();
    },
    stop() {
      over = true;
      for (const resolve of waiting.values()) resolve();
      waiting.clear();
    },
  };
}
