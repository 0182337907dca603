/** Sessions that agents of workflows had. */
import { expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import { tagSessions } from "../../../../src/sessions/reports/of-workflow.ts";

const SESSIONS = [{ id: "one" }, { id: "two" }];
const call = (session_id: string, call_id: string) => ({
  session_id,
  run_id: "r",
  call_id,
  label: "",
  repo: "/repo",
  worktree: null,
});

function failing(error: Error) {
  const notices: string[] = [];
  const powers = {
    workflowCalls: () => Promise.reject(error),
    notice: (line: string) => notices.push(line),
  };
  return { notices, tagged: () => tagSessions(powers, SESSIONS) };
}

test("a session is tagged with the latest of its calls, and with nothing else of it", async () => {
  const calls = [call("one", "late"), call("one", "early")];
  const powers = { workflowCalls: async () => calls, notice: () => {} };
  expect(await tagSessions(powers, SESSIONS)).toEqual([
    { id: "one", workflow: { run_id: "r", call_id: "late", label: "" } },
    { id: "two" },
  ]);
});

test("runs that cannot be read are named, and the sessions given without them", async () => {
  const { notices, tagged } = failing(new PalliumError("database_damaged", "it is damaged"));
  expect(await tagged()).toEqual(SESSIONS);
  expect(notices).toEqual(["runs of workflows cannot be read: it is damaged"]);
});

test("a defect is no run that cannot be read", async () => {
  await expect(failing(new TypeError("a defect")).tagged()).rejects.toThrow("a defect");
});
