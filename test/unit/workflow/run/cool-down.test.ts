import { expect, test } from "bun:test";
import { createCoolDowns } from "../../../../src/workflow/run/cool-down.ts";

const isPending = (promise: Promise<unknown> | undefined) =>
  promise !== undefined && Bun.peek.status(promise) === "pending";
const turn = () => new Promise(setImmediate);

test("a call waits for the first end of its provider's waits, once", async () => {
  const coolDowns = createCoolDowns();
  const long = coolDowns.begin("p");
  const short = coolDowns.begin("p");
  const ahead = coolDowns.ahead("p", 0);
  await turn();
  expect(isPending(ahead)).toBe(true);
  short();
  const waitedFor = await ahead;
  expect(coolDowns.ahead("p", waitedFor ?? 0)).toBeUndefined();
  long();
  expect(coolDowns.ahead("p", 0)).toBeUndefined();
});

test("a call that waited waits again where the provider was busy again since", async () => {
  const coolDowns = createCoolDowns();
  const first = coolDowns.begin("p");
  const ahead = coolDowns.ahead("p", 0);
  first();
  const waitedFor = (await ahead) ?? 0;
  const second = coolDowns.begin("p");
  const again = coolDowns.ahead("p", waitedFor);
  await turn();
  expect(isPending(again)).toBe(true);
  second();
  await again;
});

test("calls of other providers do not wait", () => {
  const coolDowns = createCoolDowns();
  coolDowns.begin("p");
  expect(coolDowns.ahead("q", 0)).toBeUndefined();
});
