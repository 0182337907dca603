/** Which sessions have to do with a repository and its files, and how much. */
import { describe, expect, test } from "bun:test";
import { rename, rm } from "node:fs/promises";
import { repositoryTrees } from "../../../../src/sessions/related/places.ts";
import { type RelatedQuestion, relatedSessions } from "../../../../src/sessions/related/related.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";
import { type ClaudeStep, claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const NOW = new Date("2026-12-03T11:00:00.000Z");
const AN_HOUR_AGO = "2026-12-03T10:00:00.000Z";
const FILE = "src/auth.go";

interface Told {
  readonly cwd?: string;
  readonly steps?: readonly ClaudeStep[];
  readonly at?: string;
}

interface Related extends AsyncDisposable {
  readonly repo: TestRepository;
  readonly index: TestIndex;
  tell(sessions: Readonly<Record<string, Told>>): Promise<void>;
  /** Ids with score and signals, the best first. */
  ask(question?: Partial<RelatedQuestion>): Promise<readonly (readonly [string, number, string])[]>;
  ids(...files: readonly string[]): Promise<readonly string[]>;
}

/** A repository with one commit, and a store without sessions. */
async function related(): Promise<Related> {
  const repo = await testRepository();
  await repo.commit("base", { [FILE]: "package auth\n", "lib/index.ts": "1\n", "index.ts": "2\n" });
  const index = await testIndex();
  const ask: Related["ask"] = async (question = {}) => {
    const repository = await repositoryTrees(repo.path);
    const found = relatedSessions(index.database, { repository, limit: 10, ...question }, NOW);
    return found.map(({ id, score, signals }) => [id, score, signals.join(" ")]);
  };
  return {
    repo,
    index,
    ask,
    ids: async (...files) => (await ask({ files })).map(([id]) => id),
    tell: async (sessions) => {
      for (const [id, { cwd = repo.path, steps = [], at = AN_HOUR_AGO }] of Object.entries(
        sessions,
      )) {
        const text = claudeTranscript({ id, cwd, at, steps: [{ user: "hello" }, ...steps] });
        await index.write(`claude/projects/p/${id}.jsonl`, text);
      }
      await index.index();
    },
    [Symbol.asyncDispose]: async () => {
      await index[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

const SECONDS_LATER = "2026-12-03T10:00:01.000Z";

describe("related sessions", () => {
  test("one at the top that touched the file an hour ago has 162 points, one elsewhere none (oracle 16)", async () => {
    await using it = await related();
    await it.tell({
      match: { steps: [{ edit: it.repo.join(FILE), at: SECONDS_LATER }] },
      unrelated: { cwd: "/elsewhere" },
    });
    expect(await it.ask({ files: [FILE] })).toEqual([
      ["match", 80 + 70 + 12, `same-cwd file-touch:${FILE} recent`],
    ]);
  });

  test("one that touched the file comes before one that only worked there, or in a folder below", async () => {
    await using it = await related();
    await it.tell({
      there: {},
      below: { cwd: it.repo.join("src"), at: "2026-11-28T10:00:00.000Z" },
      touched: {
        cwd: "/elsewhere",
        steps: [{ read: it.repo.join(FILE) }],
        at: "2026-11-10T10:00:00.000Z",
      },
      old: { at: "2025-01-01T10:00:00.000Z" },
    });
    expect(await it.ask({ files: [FILE, `./${FILE}`, it.repo.join(FILE)] })).toEqual([
      ["there", 92, "same-cwd recent"],
      ["old", 80, "same-cwd"],
      ["touched", 74, `file-touch:${FILE} recent`],
      ["below", 53, "nested-cwd recent"],
    ]);
    expect(await it.ask({ limit: 1 })).toHaveLength(1);
    expect(await it.ask({ since: "2026-11-28T00:00:00.000Z" })).toHaveLength(2);
    expect(await it.ask({ provider: "codex" })).toEqual([]);
    expect(await it.ask({ machine: "here", provider: "claude" })).toHaveLength(3);
  });

  test("weakness 5 of sessions: a file that a tool only printed was not touched; a relative path was", async () => {
    await using it = await related();
    await it.tell({
      printed: {
        cwd: "/elsewhere",
        steps: [{ run: "ls", output: `${it.repo.join(FILE)}:12: note` }],
      },
      relative: { cwd: it.repo.join("src"), steps: [{ edit: "auth.go" }] },
      other: { cwd: "/elsewhere", steps: [{ edit: "auth.go" }] },
    });
    expect(await it.ask({ files: [FILE] })).toEqual([
      ["relative", 45 + 70 + 12, `nested-cwd file-touch:${FILE} recent`],
    ]);
  });

  test("weakness 8 of sessions: sessions of Claude Code have the origin of where they worked", async () => {
    await using it = await related();
    await using clone = await testRepository();
    await using other = await testRepository();
    await it.repo.git("remote", "add", "origin", "git@github.com:ann/app.git");
    await clone.git("remote", "add", "origin", "https://token@GitHub.com/ann/app");
    await other.git("remote", "add", "origin", "https://github.com/ann/apple");
    await it.tell({
      here: {},
      clone: { cwd: clone.path, steps: [{ edit: clone.join(FILE) }] },
      other: { cwd: other.path, steps: [{ edit: other.join(FILE) }] },
    });
    // The clone may be gone meanwhile.
    await rm(clone.path, { recursive: true });
    expect(await it.ask({ files: [FILE] })).toEqual([
      ["here", 80 + 50 + 12, "same-cwd same-origin recent"],
      ["clone", 50 + 70 + 12, `same-origin file-touch:${FILE} recent`],
    ]);
  });

  test("one that said only later where it works is of its repository", async () => {
    await using it = await related();
    const path = "claude/projects/p/s.jsonl";
    const begun = '{"type":"summary","sessionId":"s","summary":"about"}\n';
    await it.index.write(path, begun);
    await it.index.index();
    const told = claudeTranscript({
      id: "s",
      cwd: it.repo.path,
      at: AN_HOUR_AGO,
      steps: [{ user: "hello" }],
    });
    await it.index.write(path, begun + told);
    await it.index.index();
    await rm(it.repo.path, { recursive: true });
    const [placed] = it.index.database.all("SELECT worktree, repository FROM sessions");
    expect(placed).toEqual({ worktree: it.repo.path, repository: `${it.repo.path}/.git` });
    await it.index.index({ force: true });
    expect(it.index.database.all("SELECT worktree, repository FROM sessions")).toEqual([placed]);
  });

  test("one whose folder was missing is of its repository once that is back", async () => {
    await using it = await related();
    const [away, below] = [`${it.repo.path}-away`, it.repo.join("gone/below")];
    await rename(it.repo.path, away);
    await it.tell({ top: {}, below: { cwd: below } });
    const placed = () =>
      it.index.database.all("SELECT id, worktree, repository FROM sessions ORDER BY id");
    expect(placed()).toEqual([
      { id: "below", worktree: "", repository: "" },
      { id: "top", worktree: "", repository: "" },
    ]);
    await rename(away, it.repo.path);
    await it.index.index();
    const place = { worktree: it.repo.path, repository: `${it.repo.path}/.git` };
    expect(placed()).toEqual([
      { id: "below", worktree: "", repository: "" },
      { id: "top", ...place },
    ]);
    await it.index.index({ force: true });
    expect(placed()).toEqual([
      { id: "below", ...place },
      { id: "top", ...place },
    ]);
  });

  test("working trees of one repository are one, when they are gone too", async () => {
    await using it = await related();
    const [linked, inside] = [`${it.repo.path}-linked`, it.repo.join(".trees/b")];
    await it.repo.git("worktree", "add", "-q", "--detach", linked);
    await it.repo.git("worktree", "add", "-q", "--detach", inside);
    await it.tell({
      linked: { cwd: `${linked}/src`, steps: [{ edit: `${linked}/${FILE}` }] },
      inside: { cwd: inside, steps: [{ edit: `${inside}/${FILE}` }] },
    });
    const answer = [
      ["inside", 80 + 70 + 12, `same-cwd file-touch:${FILE} recent`],
      ["linked", 45 + 70 + 12, `nested-cwd file-touch:${FILE} recent`],
    ] as const;
    expect(await it.ask({ files: [FILE] })).toEqual(answer);
    await it.repo.git("worktree", "remove", "--force", linked);
    await it.repo.git("worktree", "remove", "--force", inside);
    expect(await it.ask({ files: [FILE] })).toEqual(answer);
  });

  test("a repository inside of another is not the other", async () => {
    await using it = await related();
    await it.repo.git("init", "-q", "vendor/lib");
    await it.tell({ vendor: { cwd: it.repo.join("vendor/lib") } });
    expect(await it.ask()).toEqual([]);
  });

  test("weakness 15 of sessions: being recent makes no session related", async () => {
    await using it = await related();
    await it.tell({
      recent: { cwd: "/elsewhere", at: AN_HOUR_AGO },
      one: { cwd: "/elsewhere", steps: [{ agent: "the invoice is late" }] },
      two: { cwd: "/elsewhere", steps: [{ agent: "the invoice total is rounded" }] },
    });
    const query = "how is the invoice total made?";
    expect(await it.ask({ query })).toEqual([["two", 16 + 12, "query-match recent"]]);
    expect(await it.ask({ query: "invoice" })).toHaveLength(2);
  });

  test.each([
    ["look at src/auth.go:12", true],
    ["look at @src/auth.go.", true],
    ["look at `./src/auth.go`", true],
    ["look at SRC/Auth.go", true],
    ["look at auth.go", false],
    ["look at other/src/auth.go", false],
    ["look at src/auth.gone", false],
    ["look at mysrc/auth.go", false],
    ["look at /elsewhere/src/auth.go", false],
  ])("weakness 18 of sessions: %p names the file: %p", async (user, isNamed) => {
    await using it = await related();
    await it.tell({ asked: { steps: [{ user }] } });
    const signals = isNamed ? `same-cwd file-mention:${FILE} recent` : "same-cwd recent";
    expect(await it.ask({ files: [FILE] })).toEqual([["asked", isNamed ? 117 : 92, signals]]);
  });

  test("weakness 18 of sessions: files of the same name in other folders are others", async () => {
    await using it = await related();
    await it.tell({
      lib: { steps: [{ edit: it.repo.join("lib/index.ts") }] },
      top: { steps: [{ edit: it.repo.join("index.ts") }] },
      elsewhere: {
        cwd: "/elsewhere",
        steps: [{ edit: "/elsewhere/lib/index.ts" }, { user: "see lib/index.ts" }],
      },
    });
    const [[first], ...others] = [
      (await it.ask({ files: ["lib/index.ts"] }))[0] ?? [],
      ...(await it.ask({ files: ["index.ts"] })),
    ];
    expect(first).toBe("lib");
    expect(others.map(([id, score]) => [id, score])).toEqual([
      ["top", 162],
      ["lib", 92],
    ]);
  });

  test("a folder outside of any repository is refused", async () => {
    await expect(repositoryTrees("/")).rejects.toMatchObject({ code: "not_a_repository" });
  });
});
