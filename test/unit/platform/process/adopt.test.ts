import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { adoptProcess, leftBehind } from "../../../../src/platform/process/adopt.ts";
import { createLooks } from "../../../../src/platform/process/looks.ts";
import { endRecorded } from "../../../../src/platform/process/recorded.ts";
import type { ProcessRequest } from "../../../../src/platform/process/supervisor.ts";
import { fileAppears } from "../../../support/files.ts";
import { openSandbox, type ProcessSandbox } from "../../../support/processes.ts";

const IDLE = new AbortController().signal;

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

/** A process as a runner that died leaves it: with the marker, in a group of its own. */
function leave(request: ProcessRequest, script: string): Bun.Subprocess {
  return Bun.spawn(["/bin/sh", "-c", script], {
    cwd: request.dir,
    env: { PATH: process.env.PATH ?? "", PALLIUM_CALL: request.marker },
    detached: true,
  });
}

const unused = (changes: Partial<ProcessRequest> = {}) => sandbox.request(["true"], changes);

test("a wrapper that has not written its pid yet is taken over, not started again", async () => {
  const request = unused();
  leave(request, "touch ready; until [ -e go ]; do sleep 0.01; done; echo $$ >pid; echo 0 >exit");
  await fileAppears(`${request.dir}/ready`);
  expect(await leftBehind(request.dir, request.marker, createLooks())).toBe(true);
  const adopted = adoptProcess(request, IDLE);
  writeFileSync(`${request.dir}/go`, "");
  expect(await adopted).toMatchObject({ exitCode: 0, timedOut: false, cancelled: false });
});

test("a status is taken over, unless it came of being ended", async () => {
  const request = unused();
  writeFileSync(`${request.dir}/exit`, "1\n");
  expect(await adoptProcess(request, IDLE)).toMatchObject({ exitCode: 1 });
  writeFileSync(`${request.dir}/cut`, "");
  expect(await leftBehind(request.dir, request.marker, createLooks())).toBe(false);
  expect(await adoptProcess(request, IDLE)).toBeUndefined();
});

test.each([0, 1])("a command that answers SIGTERM with %i did not finish", async (status) => {
  const request = unused();
  leave(
    request,
    `trap 'echo ${status} >exit; exit ${status}' TERM; echo $$ >pid; touch ready
    while :; do sleep 0.01; done`,
  );
  await fileAppears(`${request.dir}/ready`);
  expect(await endRecorded(request.dir, request.marker, createLooks())).toBe("ended");
  expect(await leftBehind(request.dir, request.marker, createLooks())).toBe(false);
});

test("a command that finished before it could be ended has finished", async () => {
  const request = unused();
  leave(request, "echo $$ >pid; echo 0 >exit; touch ready; sleep 300");
  await fileAppears(`${request.dir}/ready`);
  expect(await adoptProcess(request, AbortSignal.abort())).toMatchObject({
    exitCode: 0,
    cancelled: false,
  });
});
