import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createIds } from "../../../../src/platform/ids.ts";
import { openDatabase } from "../../../../src/platform/sqlite/database.ts";
import type { StartedCall } from "../../../../src/workflow/run/journal.ts";
import { acquireLease } from "../../../../src/workflow/run/lease.ts";
import { readOpenCalls } from "../../../../src/workflow/run/resume-state.ts";
import { WORKFLOW_MIGRATIONS } from "../../../../src/workflow/run/schema.ts";
import { createSqliteJournal } from "../../../../src/workflow/run/sqlite-journal.ts";
import { tempDir } from "../../../support/temp.ts";

function equalCall(callId: string, occurrence: number): StartedCall {
  return {
    callId,
    identity: { scope: "", fingerprint: "same", occurrence },
    primitive: "agent",
    phase: "",
    label: "",
    prompt: "same",
    provider: "p",
    requestedProvider: "",
    repo: "/r",
    mode: "read-only",
    model: "",
    schemaHash: "",
    argsHash: "",
    isolation: "",
    networked: false,
    costMicros: 0,
  };
}

test("a call that was begun anew is open no more; an equal one that was taken over is", async () => {
  await using dir = await tempDir();
  const clock = systemClock();
  const database = await openDatabase({
    path: dir.join("store.sqlite"),
    migrations: WORKFLOW_MIGRATIONS,
  });
  const lease = await database.write((tx) => acquireLease(tx, "wf", clock));
  const journal = createSqliteJournal({
    database,
    lease,
    scriptHash: "",
    clock,
    ids: createIds(clock),
    onFailure: () => {},
  });
  const openIds = () => readOpenCalls(database, "wf").map(({ callId }) => callId);

  await journal.started(equalCall("living", 0));
  await journal.started(equalCall("dead", 1));
  await journal.running();
  expect(openIds()).toEqual(["living", "dead"]);
  await journal.started(equalCall("anew", 1));
  await journal.adopted("living", "");
  await journal.started(equalCall("another", 0));
  expect(openIds()).toEqual(["living", "anew", "another"]);
  database.close();
});
