import { expect, test } from "bun:test";
import { createLooks, type LivingProcess } from "../../../../src/platform/process/looks.ts";
import { becomes } from "../../../support/processes.ts";

const pidsOf = (look: readonly LivingProcess[]) => look.map(({ pid }) => pid);

test("who asks at the same time shares a look, who asks later gets a later one", async () => {
  const looks = createLooks();
  const [first, second] = await Promise.all([looks(), looks()]);
  expect(second).toBe(first);
  const child = Bun.spawn(["sleep", "300"], { env: { PALLIUM_CALL: "run/1" } });
  const later = await looks();
  expect(pidsOf(first)).not.toContain(child.pid);
  expect(later.find(({ pid }) => pid === child.pid)?.markers).toEqual(["run/1"]);
  child.kill("SIGKILL");
  await child.exited;
  expect(pidsOf(await looks())).not.toContain(child.pid);
});

test("what is asked for before a look sees all that was there at the asking", async () => {
  const looks = createLooks();
  const early = looks();
  const child = Bun.spawn(["sleep", "300"], { env: {} });
  expect(pidsOf(await looks())).toContain(child.pid);
  expect(pidsOf(await early)).toContain(child.pid);
  child.kill("SIGKILL");
  await child.exited;
});

test("a zombie and this very process are not listed", async () => {
  const script = "exec 3<&0; cat <&3 & echo $!; exec sleep 300 3<&-";
  const child = Bun.spawn(["sh", "-c", script], { env: {}, stdin: "pipe" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const zombie = Number(new TextDecoder().decode(value));
  await becomes(child.pid, "sleep");
  await child.stdin.end();
  const looks = createLooks();
  while (pidsOf(await looks()).includes(zombie));
  const pids = pidsOf(await looks());
  expect(pids).toContain(child.pid);
  expect(pids).not.toContain(process.pid);
  await Bun.file(`/proc/${zombie}/stat`)
    .text()
    .then((stat) => expect(stat).toContain(") Z "));
  child.kill("SIGKILL");
  await child.exited;
});
