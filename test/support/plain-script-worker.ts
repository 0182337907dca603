/**
 * What a script worker would be without any protection: the same messages and a few of the same
 * globals, in a realm as the runtime makes it. Escapes must succeed here, or they prove nothing.
 */
import type { HostMessage } from "../../src/workflow/engine/protocol.ts";

declare const self: Worker;

const waiting = new Map<number, PromiseWithResolvers<unknown>>();

function post(message: object): void {
  self.postMessage(JSON.stringify(message));
}

function agent(...args: unknown[]): Promise<unknown> {
  const id = waiting.size + 1;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(id, answer);
  post({ type: "call", id, primitive: "agent", scope: "", phase: "", args });
  return answer.promise;
}

async function parallel(items: unknown[], callback: (item: unknown) => unknown) {
  return await Promise.all(items.map(callback));
}

async function run(program: string, args: unknown): Promise<void> {
  Object.assign(globalThis, { agent, parallel, args });
  try {
    // biome-ignore lint/security/noGlobalEval: it is what the sandbox keeps scripts from.
    const evaluate: (text: string) => () => Promise<unknown> = globalThis.eval;
    const value = await evaluate(program)();
    post({ type: "returned", value, notes: [] });
  } catch (error) {
    const message = String(error);
    post({ type: "failed", error: { name: "Error", code: "script_error", message } });
  }
}

self.onmessage = ({ data }: MessageEvent<string>) => {
  const message = JSON.parse(data) as HostMessage;
  if (message.type === "start") void run(message.program, message.args);
  if (message.type === "settled") waiting.get(message.id)?.resolve(message.value);
  if (message.type === "rejected") {
    waiting.get(message.id)?.reject(new Error(message.error.message));
  }
  if (message.type === "ping") post({ type: "pong", nonce: message.nonce });
};

post({ type: "ready" });
