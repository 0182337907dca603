/** Which sessions a filter leaves. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SessionFilter, sessionCondition } from "../../../../src/sessions/reports/filter.ts";
import { listSessions } from "../../../../src/sessions/reports/list.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const SESSIONS = {
  top: { cwd: "/home/dev/app", edit: "/home/dev/app/src/y.ts" },
  below: { cwd: "/home/dev/app/web", edit: "src/100%_[x]*.ts" },
  beside: { cwd: "/home/dev/apples", edit: "./src/y.ts" },
  windows: { cwd: "C:\\Work\\App", edit: "C:\\Work\\App\\src\\y.ts" },
  nowhere: { cwd: "", edit: "/elsewhere/z.ts" },
};

let index: TestIndex;

beforeAll(async () => {
  index = await testIndex();
  for (const [id, { cwd, edit }] of Object.entries(SESSIONS)) {
    const steps = [{ user: `needle of ${id}` }, { edit }, { run: "ls" }];
    await index.write(`claude/projects/p/${id}.jsonl`, claudeTranscript({ id, cwd, steps }));
  }
  await index.index();
});

afterAll(() => index[Symbol.asyncDispose]());

describe("a filter of sessions", () => {
  test.each<[SessionFilter, readonly string[]]>([
    [{}, ["below", "beside", "nowhere", "top", "windows"]],
    [{ repo: "/home/dev/app" }, ["below", "top"]],
    [{ repo: "/home/dev/app/web" }, ["below"]],
    [{ repo: "/" }, ["below", "beside", "top"]],
    [{ repo: "C:\\Work\\App" }, ["windows"]],
    [{ repo: "c:/work" }, ["windows"]],
    [{ repo: "C:\\Work\\App\\" }, ["windows"]],
    [{ repo: "C:\\Work\\Ap" }, []],
    [{ file: "y.ts" }, ["beside", "top", "windows"]],
    [{ file: "src/y.ts" }, ["beside", "top", "windows"]],
    [{ file: "./src/y.ts" }, ["beside", "top", "windows"]],
    [{ file: ".\\src\\y.ts" }, ["beside", "top", "windows"]],
    [{ file: "app/src/y.ts" }, ["top"]],
    [{ file: "/home/dev/app/src/y.ts" }, ["top"]],
    [{ file: "/src/y.ts" }, []],
    [{ file: "rc/y.ts" }, []],
    [{ file: "C:/Work/App/src/y.ts" }, ["windows"]],
    [{ file: "100%_[x]*.ts" }, ["below"]],
    [{ file: "/home/dev/app/web/src/100%_[x]*.ts" }, ["below"]],
    [{ file: "%" }, []],
    [{ file: "" }, []],
    [{ tool: "edit" }, ["below", "beside", "nowhere", "top", "windows"]],
    [{ tool: "Read" }, []],
    [{ tool: "tool_result" }, []],
    [{ repo: "/home/dev/app", file: "y.ts" }, ["top"]],
    [{ machine: "there" }, []],
    [{ provider: "codex" }, []],
    [{ since: "2026-12-01T10:00:02.000Z" }, ["below", "beside", "nowhere", "top", "windows"]],
    [{ since: "2026-12-01T10:00:02.001Z" }, []],
  ])("%j leaves %p", (filter, expected) => {
    const listed = listSessions(index.database, { ...filter, limit: 10 });
    expect(listed.map(({ id }) => id).toSorted()).toEqual([...expected]);
  });

  test("without anything is no condition", () => {
    expect(sessionCondition({})).toEqual({ sql: "true", params: [] });
  });
});

test("sessions of the same time are listed in the order of their ids", () => {
  const listed = listSessions(index.database, { limit: 3 });
  expect(listed.map(({ id }) => id)).toEqual(["below", "beside", "nowhere"]);
});
