/** Which session and which prompt are behind a commit, a line, or what is not committed. */
import { describe, expect, test } from "bun:test";
import { whyReport as schema } from "../../../../src/operations/why-schema.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { repositoryTrees } from "../../../../src/sessions/related/places.ts";
import { fileHistory, placeOf } from "../../../../src/sessions/why/commits.ts";
import { type WhyReport, whyReport } from "../../../../src/sessions/why/why.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";
import { type ClaudeStep, claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const FILE = "src/lock.ts";
const NOW = new Date("2026-12-03T12:00:00.000Z");
const git = createGit(GIT_VARIABLES);

interface Why extends AsyncDisposable {
  readonly repo: TestRepository;
  readonly index: TestIndex;
  tell(id: string, at: string, steps: readonly ClaudeStep[], cwd?: string): Promise<void>;
  /** Commits the file at a time of 2026-12-01. */
  commit(message: string, text: string, time: string): Promise<string>;
  ask(place: string, full?: boolean): Promise<WhyReport>;
}

function seconds(time: string): number {
  return Date.parse(`2026-12-01T${time}Z`) / 1000;
}

async function repository(): Promise<Why> {
  const repo = await testRepository();
  const index = await testIndex();
  return {
    repo,
    index,
    tell: async (id, time, steps, cwd = repo.path) => {
      const text = claudeTranscript({ id, cwd, at: `2026-12-01T${time}.000Z`, steps });
      await index.write(`claude/projects/p/${id}.jsonl`, text);
    },
    commit: (message, text, time) => repo.commit(message, { [FILE]: text }, { at: seconds(time) }),
    ask: async (asked, full = false) => {
      await index.index();
      const { path, line } = placeOf(asked);
      const history = await fileHistory(
        git,
        repo.path,
        { path: repo.join(path), ...(line ? { line } : {}) },
        3,
      );
      const question = {
        history,
        full,
        repository: await repositoryTrees(repo.path),
        verifications: [],
      };
      const report = whyReport(index.database, line ? { ...question, line } : question, NOW);
      expect(schema.safeParse(report).error?.issues ?? []).toEqual([]);
      return report;
    },
    [Symbol.asyncDispose]: async () => {
      await index[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

describe("why", () => {
  test("a line is as it is: commit, session, prompt, what was run, and how it was verified", async () => {
    await using it = await repository();
    await it.commit("first", "one\n", "08:00:00");
    await it.tell("other", "09:00:00", [{ user: "Look around" }, { read: it.repo.join(FILE) }]);
    const sha = await it.commit("Release the lock first", "one\nb\n", "10:00:10");
    await it.tell("maker", "10:00:00", [
      { user: "Hello" },
      { agent: "Hello" },
      { user: "Release the lock before the check" },
      { run: "npm test", output: "1 failed", exit: 1 },
      { edit: it.repo.join(FILE) },
      { run: "npm test", output: "ok" },
      {
        run: 'git commit -am "Release the lock first"',
        output: `[main ${sha.slice(0, 7)}] Release`,
      },
      { run: "git push" },
    ]);
    const report = await it.ask(`${FILE}:2`);
    expect(report).toMatchObject({ path: FILE, line: 2, hints: [] });
    const [change] = report.changes;
    expect(change?.commit).toMatchObject({ sha, subject: "Release the lock first", path: FILE });
    expect(change?.sessions).toHaveLength(1);
    const [session] = change?.sessions ?? [];
    expect(session).toMatchObject({
      session_id: "maker",
      confidence: "high",
      signals: [
        "commit-sha",
        "commit-message",
        "commit-time",
        "edited-file",
        "within-an-hour",
        "same-repository",
      ],
    });
    expect(session?.prompt?.text).toBe("Release the lock before the check");
    expect(session?.commands.map(({ command, exit_code }) => [command, exit_code])).toEqual([
      ["npm test", 0],
      ['git commit -am "Release the lock first"', 0],
    ]);
    expect(session?.verification.map(({ command, exit_code }) => [command, exit_code])).toEqual([
      ["npm test", 0],
    ]);
    expect(session?.recalled.trust).toBe("untrusted_data");
  });

  test("of two sessions the one whose edit holds the line comes first; the other is shown in full", async () => {
    await using it = await repository();
    await it.commit("first", "one\n", "08:00:00");
    const edit = (id: string, time: string, text: string) =>
      it.index.write(
        `claude/projects/p/${id}.jsonl`,
        claudeTranscript({
          id,
          cwd: it.repo.path,
          at: `2026-12-01T${time}.000Z`,
          steps: [{ user: `from ${id}` }, { edit: it.repo.join(FILE) }],
        }).replace('"new_string":"b"', `"new_string":${JSON.stringify(text)}`),
      );
    await edit("holds", "09:00:00", "const lock = take();");
    await edit("later", "09:30:00", "something else");
    await it.commit("by hand", "one\nconst lock = take();\n", "10:00:00");
    const [change] = (await it.ask(`${FILE}:2`)).changes;
    expect(change?.sessions.map(({ session_id }) => session_id)).toEqual(["holds"]);
    expect(change?.sessions[0]).toMatchObject({
      confidence: "high",
      prompt: { text: "from holds" },
    });
    const [whole] = (await it.ask(`${FILE}:2`, true)).changes;
    expect(whole?.sessions.map(({ session_id }) => session_id)).toEqual(["holds", "later"]);
  });

  test.each(["Count in cents", "by hand"])(
    "of two sessions that did the same within seconds each made its own commit: %s",
    async (subject) => {
      await using it = await repository();
      await it.commit("first", "one\n", "08:00:00");
      for (const [id, time, at] of [
        ["former", "10:00:05", "10:00:00"],
        ["latter", "10:00:09", "10:00:06"],
      ] as const) {
        await it.commit(subject, `${id}\n`, time);
        const steps = [{ user: id }, { edit: it.repo.join(FILE) }];
        const commit = {
          run: "git commit -qam 'Count in cents'",
          at: `2026-12-01T${time}.100Z`,
        };
        await it.tell(id, at, [...steps, ...(subject === "by hand" ? [] : [commit])]);
      }
      const { changes } = await it.ask(FILE);
      const behind = changes.map(({ sessions }) => sessions[0]?.session_id);
      expect(behind).toEqual(["latter", "former", undefined]);
    },
  );

  test("edits before the commit before, and after the commit, are of others", async () => {
    await using it = await repository();
    await it.tell("early", "07:00:00", [{ user: "a" }, { edit: it.repo.join(FILE) }]);
    await it.commit("first", "one\n", "08:00:00");
    await it.commit("second", "two\n", "10:00:00");
    await it.tell("late", "11:00:00", [{ user: "b" }, { edit: it.repo.join(FILE) }]);
    const report = await it.ask(FILE);
    expect(
      report.changes.map(({ commit, sessions }) => [
        commit?.subject,
        sessions.map(({ session_id }) => session_id),
      ]),
    ).toEqual([
      ["second", []],
      ["first", ["early"]],
    ]);
    await it.repo.write({ [FILE]: "three\n" });
    const dirty = await it.ask(`${FILE}:1`);
    expect(dirty.changes).toMatchObject([{ commit: null, sessions: [{ session_id: "late" }] }]);
    expect((await it.ask(FILE)).changes[0]).toMatchObject({ commit: null });
  });

  test("what was made in another working tree, under another name, by the shell, is found too", async () => {
    await using it = await repository();
    await it.commit("first", "one\n", "08:00:00");
    const tree = `${it.repo.path}-tree`;
    await it.repo.git("worktree", "add", "-q", "--detach", tree);
    await it.tell("tree", "09:00:00", [{ user: "in a tree" }, { edit: `${tree}/${FILE}` }], tree);
    await it.index.index();
    await it.repo.git("worktree", "remove", "--force", tree);
    await it.commit("from a tree", "two\n", "09:10:00");
    await it.tell("shell", "10:00:00", [
      { user: "replace it" },
      { run: "sed -i s/two/three/ src/lock.ts" },
      { run: "git commit -am 'Count to three'" },
    ]);
    await it.commit("Count to three", "three\n", "10:00:02");
    await it.repo.git("mv", FILE, "src/latch.ts");
    await it.repo.commit("rename", {}, { at: seconds("11:00:00") });
    const { changes } = await it.ask("src/latch.ts");
    expect(
      changes.map(({ sessions }) =>
        sessions.map(({ session_id: id, prompt, confidence }) => [id, prompt?.text, confidence]),
      ),
    ).toEqual([[], [["shell", "replace it", "medium"]], [["tree", "in a tree", "medium"]]]);
  });

  test("a commit that nobody remembers is told all the same, with a hint", async () => {
    await using it = await repository();
    await it.commit("first", "one\n", "08:00:00");
    const report = await it.ask(`${FILE}:1`);
    expect(report.changes).toMatchObject([{ commit: { subject: "first" }, sessions: [] }]);
    expect(report.hints[0]).toContain("pallium sessions index");
  });

  test.each([
    ["src", "file_not_tracked"],
    [`${FILE}:3`, "line_not_found"],
    [`${FILE}:0`, "usage"],
  ])("%p is refused: %p", async (place, code) => {
    await using it = await repository();
    await it.commit("first", "one\ntwo\n", "08:00:00");
    await it.repo.commit("second", { "src/other.ts": "1" });
    await it.repo.write({ "new.ts": "1" });
    await expect(it.ask(place)).rejects.toMatchObject({ code });
  });
});
