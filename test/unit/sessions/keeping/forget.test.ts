/** What is forgotten is in no byte of the store any more, and does not come back. */
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { appendFile, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createSecretScanner } from "../../../../src/secrets/scanner.ts";
import { refreshChunks } from "../../../../src/sessions/embeddings/chunks.ts";
import { copyGoSessions } from "../../../../src/sessions/go-database/copy-go-sessions.ts";
import { askForErasure, finishErasure } from "../../../../src/sessions/keeping/erase.ts";
import { type ForgetRequest, forgetSessions } from "../../../../src/sessions/keeping/forget.ts";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { forgetSession } from "../../../../src/sessions/store/forget-session.ts";
import { writeGoSessions } from "../../../support/go-sessions.ts";
import { storedTexts } from "../../../support/stored-bytes.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const NOW = "2026-12-03T10:00:00.000Z";
const CODEX_SESSION = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
const CODEX_FORK = "01a23a7d-9c77-7420-ab0d-a0eff7b1c907";
const HELPED = "460bb3c7-01d4-405c-aeb3-ed79a689d93c";
const HELPER = "agent-af4860ea4b6868de4";
const LONG_AGO = new Date(Date.now() - 600_000);
/** A word that no index shortens. */
const SECRET_PLAN = "zyzzyvaplumtree";

const line = (id: string, text: string, uuid: string) =>
  JSON.stringify({
    type: "user",
    sessionId: id,
    uuid,
    cwd: `/tmp/${text.split(" ")[0]}`,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: text },
  });

/** A session of many messages with a word in each, among others. */
async function withPlan() {
  const index = await testIndex();
  const filler = Array.from({ length: 300 }, (_, at) =>
    line("other", `another thing number ${at} ${"and more of it ".repeat(20)}`, `o${at}`),
  );
  await index.write("claude/projects/p/other.jsonl", `${filler.join("\n")}\n`);
  const plan = Array.from({ length: 300 }, (_, at) =>
    line("plan", `${SECRET_PLAN}${at} ${"is what we do ".repeat(30)}`, `p${at}`),
  );
  const path = await index.write("claude/projects/p/plan.jsonl", `${plan.join("\n")}\n`);
  await index.index();
  await refreshChunks(index.database, new AbortController().signal);
  return { index, path };
}

const forget = ({ database }: TestIndex, request: Omit<ForgetRequest, "confirmed">) =>
  forgetSessions(database, { ...request, confirmed: true }, { now: NOW, goDatabases: [] });
const ids = ({ database }: TestIndex) =>
  database.all<{ id: string }>("SELECT id FROM sessions ORDER BY id").map(({ id }) => id);
const plans = Array.from({ length: 300 }, (_, at) => `${SECRET_PLAN}${at}`);

describe("a session that is forgotten", () => {
  test("is in no byte of the store's files, its log and its words included", async () => {
    const { index } = await withPlan();
    await using _ = index;
    const { database } = index;
    expect(await storedTexts(database.path, [SECRET_PLAN])).toEqual([SECRET_PLAN]);
    const report = await forget(index, { ids: ["plan"] });
    expect(report).toMatchObject({ forgotten: true, sessions: [{ id: "plan", messages: 300 }] });
    expect(await storedTexts(database.path, [SECRET_PLAN, ...plans, "what we do"])).toEqual([]);
    expect(ids(index)).toEqual(["other"]);
    expect(
      database.all("SELECT 1 FROM message_words WHERE message_words MATCH 'another'"),
    ).toHaveLength(300);
    expect(JSON.stringify(database.all("SELECT * FROM forgotten"))).not.toContain("plan");
  });

  test("is not brought back by any index, under any name of its file", async () => {
    const { index, path } = await withPlan();
    await using _ = index;
    await forget(index, { ids: ["plan"] });
    expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1, left_out: 1 });
    await appendFile(path, `${line("plan", SECRET_PLAN, "late")}\n`);
    await utimes(path, LONG_AGO, LONG_AGO);
    expect(await index.index({ force: true })).toMatchObject({ indexed: 1, left_out: 1 });
    const renamed = join(path, "..", "another-name.jsonl");
    await rename(path, renamed);
    expect(await index.index({ force: true })).toMatchObject({ indexed: 1, left_out: 1 });
    const helper = line("plan", SECRET_PLAN, "h").replace(
      "{",
      '{"isSidechain":true,"agentId":"a1",',
    );
    await index.write("claude/projects/p/plan/subagents/agent-a1.jsonl", `${helper}\n`);
    expect(await index.index()).toMatchObject({ indexed: 0, left_out: 2 });
    expect(ids(index)).toEqual(["other"]);
    expect(await storedTexts(index.database.path, [SECRET_PLAN])).toEqual([]);
  });

  test("counts once as left out, in however many pieces it is read", async () => {
    const { index } = await withPlan();
    await using _ = index;
    await forget(index, { ids: ["plan"] });
    const long = `${line("plan", `${SECRET_PLAN} ${"and so on ".repeat(5000)}`, "l")}\n`;
    await index.write("claude/projects/p/renamed.jsonl", long.repeat(60));
    expect(await index.index()).toMatchObject({ indexed: 0, left_out: 2 });
  });

  test("takes its helpers along", async () => {
    await using index = await testIndex();
    await index.place("claude", "helped");
    await index.place("claude", "helper");
    await index.index();
    const { sessions } = await forget(index, { ids: [HELPED] });
    expect(sessions.map(({ id }) => id)).toEqual([HELPED, HELPER]);
    expect(ids(index)).toEqual([]);
  });

  test("is forgotten under every name that the computer has had, with its helpers, and nobody else", async () => {
    await using index = await testIndex();
    await index.place("claude", "helped");
    await index.place("claude", "helper");
    await index.place("claude", "session");
    await index.index();
    await index.index({ machine: "renamed" });
    const record = { type: "session_meta", payload: { id: "of Codex", parent_thread_id: HELPED } };
    await index.write("codex/sessions/rollout-x.jsonl", `${JSON.stringify(record)}\n`);
    await index.index();
    expect(showSession(index.database, { id: HELPED }).session.machine).toBe("renamed");
    const { sessions } = await forget(index, { ids: [HELPED.slice(0, 8)] });
    expect(sessions.map(({ id, machine }) => `${id} ${machine}`).sort()).toEqual(
      [HELPED, HELPER].flatMap((id) => [`${id} here`, `${id} renamed`]),
    );
    expect(index.database.all("SELECT 1 FROM sessions")).toHaveLength(3);
  });

  test("takes along a helper that was read while somebody thought about it", async () => {
    await using index = await testIndex();
    await index.place("claude", "helped");
    await index.index();
    const confirm = async () => {
      await index.place("claude", "helper");
      await index.index();
      expect(ids(index)).toEqual([HELPED, HELPER]);
      return true;
    };
    const powers = { now: NOW, goDatabases: [], confirm };
    const report = await forgetSessions(index.database, { ids: [HELPED.slice(0, 8)] }, powers);
    expect(report.sessions.map(({ id }) => id)).toEqual([HELPED, HELPER]);
    expect(ids(index)).toEqual([]);
  });

  test("keeps out helpers of helpers that were never read", async () => {
    await using index = await testIndex();
    const spawned = (id: string, parent: string) =>
      index.write(
        `codex/sessions/rollout-${id}.jsonl`,
        [
          { type: "session_meta", payload: { id, parent_thread_id: parent } },
          { type: "compacted", payload: { message: SECRET_PLAN } },
        ]
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(""),
      );
    await spawned("1-root", "");
    await index.index();
    await forget(index, { ids: ["1-root"] });
    await spawned("2-helper", "1-root");
    await spawned("3-its-helper", "2-helper");
    expect(await index.index()).toMatchObject({ indexed: 0, left_out: 3 });
    expect(ids(index)).toEqual([]);
  });

  test("leaves forks what they took over, unless they are to be forgotten too", async () => {
    await using index = await testIndex();
    await index.place("codex", "session");
    await index.place("codex", "fork");
    await index.index();
    const told = () => showSession(index.database, { id: CODEX_FORK, transcript: true }).messages;
    const before = told();
    expect(before.length).toBeGreaterThan(1);
    expect((await forget(index, { ids: [CODEX_SESSION] })).kept_by_forks).toEqual([CODEX_FORK]);
    expect(ids(index)).toEqual([CODEX_FORK]);
    expect(told()).toEqual(before);

    await using other = await testIndex();
    await other.place("codex", "session");
    await other.place("codex", "fork");
    await other.index();
    const both = await forget(other, { ids: [CODEX_SESSION], with_forks: true });
    expect(both.sessions.map(({ id }) => id)).toEqual([CODEX_SESSION, CODEX_FORK]);
    expect(await storedTexts(other.database.path, ["billing"])).toEqual([]);
    expect(await other.index()).toMatchObject({ indexed: 0, left_out: 2, bytes: 0 });
  });

  test("is not copied again from the Go program's database", async () => {
    await using index = await testIndex();
    const { database } = index;
    const path = join(index.directory, "codex-sessions.sqlite");
    const messages = [{ line_no: 1, role: "user", text: SECRET_PLAN }];
    await writeGoSessions(path, [{ id: "gone", messages }]);
    const copy = () =>
      copyGoSessions(
        {
          database,
          clock: systemClock(),
          scanner: createSecretScanner,
          machine: "here",
          notice: () => {},
        },
        path,
      );
    await copy();
    expect(ids(index)).toEqual(["gone"]);
    await forget(index, { ids: ["gone"] });
    expect(database.all("SELECT * FROM copied_records")).toEqual([]);
    const go = new Connection(path);
    go.run("UPDATE codex_sessions SET indexed_at = 'later'");
    go.close(true);
    await copy();
    expect(ids(index)).toEqual([]);
    expect(await storedTexts(database.path, [SECRET_PLAN])).toEqual([]);
  });

  test("is only named, with where else it is, until that is confirmed", async () => {
    const { index, path } = await withPlan();
    await using _ = index;
    const named = await forgetSessions(
      index.database,
      { ids: ["plan"] },
      { now: NOW, goDatabases: ["/go"] },
    );
    expect(named).toMatchObject({ forgotten: false, transcripts: [path], go_databases: ["/go"] });
    expect(ids(index)).toEqual(["other", "plan"]);
  });
});

test("a forgetting that was killed before its last bytes were erased is brought to its end", async () => {
  const { index } = await withPlan();
  await using _ = index;
  const { database } = index;
  await database.write((tx) => {
    const row = tx.get<{ key: number }>("SELECT key FROM sessions WHERE id = 'plan'");
    forgetSession(tx, row?.key ?? 0);
    askForErasure(tx, NOW);
  });
  expect(await storedTexts(database.path, [SECRET_PLAN])).toEqual([SECRET_PLAN]);
  await finishErasure(database);
  expect(await storedTexts(database.path, [SECRET_PLAN, ...plans])).toEqual([]);
  expect(database.all("SELECT * FROM erasures")).toEqual([]);
});

test("what somebody else deletes during an erasure is left to be erased", async () => {
  const { index } = await withPlan();
  await using _ = index;
  const { database } = index;
  const later = "2026-12-03T10:00:00.001Z";
  await database.write((tx) => askForErasure(tx, NOW));
  await finishErasure({
    ...database,
    compact: async () => {
      await database.compact();
      await database.write((tx) => askForErasure(tx, later));
    },
  });
  expect(database.all("SELECT asked_at FROM erasures")).toEqual([{ asked_at: later }]);
});
