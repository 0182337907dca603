import { expect, test } from "bun:test";
import { createInterrupts, type EndingSignal } from "../../../src/cli/interrupts.ts";

function signals() {
  const subscribers = new Set<(signal: EndingSignal) => void>();
  return {
    subscribers,
    send: (signal: EndingSignal) => {
      for (const subscriber of subscribers) subscriber(signal);
    },
    interrupts: createInterrupts({
      subscribe: (onSignal) => {
        subscribers.add(onSignal);
        return () => subscribers.delete(onSignal);
      },
    }),
  };
}

test("the first SIGINT asks for a pause, every later signal for a stop", () => {
  const { interrupts, send } = signals();
  const heard: string[] = [];
  interrupts.listen((kind) => heard.push(kind));
  send("SIGINT");
  send("SIGINT");
  send("SIGINT");
  send("SIGTERM");
  expect(heard).toEqual(["pause", "stop", "stop", "stop"]);
});

test.each(["SIGTERM", "SIGHUP"] as const)("%s asks for a stop at once", (signal) => {
  const { interrupts, send } = signals();
  const heard: string[] = [];
  interrupts.listen((kind) => heard.push(kind));
  send(signal);
  send("SIGINT");
  expect(heard).toEqual(["stop", "stop"]);
});

test("signals are taken over exactly while somebody listens", () => {
  const { interrupts, subscribers, send } = signals();
  const heard: string[] = [];
  expect(subscribers.size).toBe(0);
  const leave = interrupts.listen(() => heard.push("first"));
  const leaveToo = interrupts.listen(() => heard.push("second"));
  expect(subscribers.size).toBe(1);
  leave();
  leave();
  send("SIGINT");
  expect(heard).toEqual(["second"]);
  leaveToo();
  expect(subscribers.size).toBe(0);
});
