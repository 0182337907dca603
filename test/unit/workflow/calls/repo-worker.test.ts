import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import type { RepoCalls } from "../../../../src/workflow/calls/repo-calls.ts";
import { createRepoWorker } from "../../../../src/workflow/calls/repo-worker.ts";
import type { RepoQuestion } from "../../../../src/workflow/engine/repo-protocol.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

/** Answers `taskShow` with what it was told first, dies of `taskClear`, and leaves the rest unanswered. */
const WORKER = `let surroundings;
self.onmessage = ({ data }) => {
  const { type, id, question, ...rest } = JSON.parse(data);
  if (type === "start") surroundings = rest.surroundings;
  if (question?.service === "taskClear") throw new Error("dead");
  if (question?.service === "taskShow") {
    postMessage(JSON.stringify({ type: "line", id, kind: "notice", text: "looking" }));
    postMessage(JSON.stringify({ type: "answered", id, report: surroundings.home }));
  }
};
postMessage(JSON.stringify({ type: "ready" }));`;

const ENVIRONMENT = {
  argv: [],
  variables: {},
  cwd: "/",
  home: "/",
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  self: [],
};

async function startedIn(dir: TempDir): Promise<RepoCalls> {
  const entry = dir.join("worker.js");
  await writeFile(entry, WORKER);
  return createRepoWorker(entry, { home: "/data", environment: ENVIRONMENT });
}

function ask(
  calls: RepoCalls,
  service: "changedNow" | "taskShow" | "taskClear",
  signal = new AbortController().signal,
  tell: (kind: string, text: string) => void = () => {},
): Promise<string> {
  const question: RepoQuestion = { service, input: {} };
  return calls.ask({ question, argv: [] }, { marker: "m", signal, tell });
}

test("a worker that dies fails what waits for it; the next question has another", async () => {
  await using dir = await tempDir();
  const calls = await startedIn(dir);
  try {
    const waiting = [ask(calls, "changedNow"), ask(calls, "taskClear")];
    for (const { status, reason } of (await Promise.allSettled(
      waiting,
    )) as readonly PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(reason).toMatchObject({ code: "repo_worker_failed" });
      expect(reason.message).toContain("dead");
    }
    const told: string[] = [];
    const report = await ask(calls, "taskShow", undefined, (kind, text) =>
      told.push(`${kind} ${text}`),
    );
    expect([report, told]).toEqual(["/data", ["notice looking"]]);
  } finally {
    calls.close();
  }
});

test("a question that is taken back is not waited for, and others are", async () => {
  await using dir = await tempDir();
  const calls = await startedIn(dir);
  try {
    const reason = new Error("stopped");
    const stop = new AbortController();
    const waiting = ask(calls, "changedNow", stop.signal);
    expect(await ask(calls, "taskShow")).toBe("/data");
    stop.abort(reason);
    expect(await waiting.catch((error: unknown) => error)).toBe(reason);
    expect(await ask(calls, "taskShow")).toBe("/data");
  } finally {
    calls.close();
  }
});

test("what it may take counts from the first question on", async () => {
  await using dir = await tempDir();
  const calls = await startedIn(dir);
  expect(calls.memoryBytes()).toBe(0);
  await ask(calls, "taskShow");
  expect(calls.memoryBytes()).toBeGreaterThan(0);
  calls.close();
});
