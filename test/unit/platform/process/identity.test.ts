import { expect, test } from "bun:test";
import { identityOf, isAlive, ownIdentity } from "../../../../src/platform/process/identity.ts";
import { becomes, stateOf } from "../../../support/processes.ts";

test("this process is alive, and its identity survives being stored", () => {
  const own = ownIdentity();
  expect(own.pid).toBe(process.pid);
  expect(isAlive(JSON.parse(JSON.stringify(own)))).toBe(true);
});

test("an ended process is not alive", async () => {
  const child = Bun.spawn(["sleep", "300"]);
  const identity = identityOf(child.pid);
  if (identity === undefined) throw new Error("the child has no identity");
  expect(isAlive(identity)).toBe(true);
  child.kill();
  await child.exited;
  expect(isAlive(identity)).toBe(false);
  expect(identityOf(child.pid)).toBeUndefined();
});

test("a zombie is not alive", async () => {
  const parent = Bun.spawn(["sh", "-c", "sleep 300 & echo $!; exec sleep 300"]);
  const { value } = await parent.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(value));
  const identity = identityOf(pid);
  if (identity === undefined) throw new Error("the grandchild has no identity");
  await becomes(parent.pid, "sleep");
  process.kill(pid, "SIGKILL");
  while (stateOf(pid) !== "Z") await new Promise(setImmediate);
  expect(isAlive(identity)).toBe(false);
  expect(identityOf(pid)).toBeUndefined();
  parent.kill("SIGKILL");
  await parent.exited;
});

test("another process with the same pid is not the same one", () => {
  expect(isAlive({ ...ownIdentity(), startTime: "1" })).toBe(false);
});

test("nothing survives a reboot", () => {
  const own = ownIdentity();
  expect(isAlive({ ...own, bootId: "another", pidNamespace: "pid:[1]" })).toBe(false);
});

test("a process is judged also after its host was given another name", () => {
  const own = ownIdentity();
  expect(isAlive({ ...own, host: "another" })).toBe(true);
  expect(isAlive({ ...own, host: "another", startTime: "1" })).toBe(false);
});

test("a process of another host or pid namespace is elsewhere", () => {
  const own = ownIdentity();
  expect(isAlive({ ...own, host: "another", bootId: "another" })).toBe("elsewhere");
  expect(isAlive({ ...own, pidNamespace: "pid:[1]" })).toBe("elsewhere");
});
