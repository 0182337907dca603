/** What repo memory says of the sessions that had to do with a file. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import type { RelatedSession } from "../../src/sessions/related/related.ts";
import type { WhyReport } from "../../src/sessions/why/why.ts";
import { type RepoCli, repoCli } from "../support/repo-cli.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";

const FILE = "src/lock.ts";
const ID = "11111111-1111-4111-8111-111111111111";

/** A repository of two commits, indexed. */
async function repository(): Promise<RepoCli> {
  const cli = await repoCli();
  await cli.repo.commit("first", { "a.ts": "1\n" });
  await cli.repo.commit("second", { [FILE]: "export const lock = 1;\n" });
  await cli.pallium(["index"]);
  return cli;
}

async function remember(
  { repo, directory, pallium }: RepoCli,
  { id = ID, prompt = "Mend the lock", file = FILE, at = "2026-12-01T10:00:00.000Z" } = {},
): Promise<void> {
  const steps = [{ user: prompt }, { edit: repo.join(file) }];
  const folder = join(directory, ".claude/projects/p");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.jsonl`), claudeTranscript({ id, cwd: repo.path, steps, at }));
  const { stdout } = await pallium(["sessions", "index", "--safety-buffer", "0s"]);
  expect(stdout).toStartWith("Indexed 1 agent sessions");
}

const REPORTS: readonly (readonly [OperationName, readonly string[]])[] = [
  ["explain", ["explain", FILE]],
  ["review", ["review"]],
  ["handoff", ["handoff"]],
];

describe("repo memory and sessions", () => {
  test("reports name the sessions that touched the files, marked as data", async () => {
    await using cli = await repository();
    await remember(cli);
    for (const [operation, args] of REPORTS) {
      const report = await cli.json<{ related_sessions: unknown[] }>(args);
      const problems = outputs[operation].safeParse(report).error?.issues ?? [];
      expect({ operation, problems }).toEqual({ operation, problems: [] });
      expect({ operation, sessions: report.related_sessions }).toMatchObject({
        operation,
        sessions: [
          {
            title: "Mend the lock",
            signals: expect.arrayContaining(["same-cwd", `file-touch:${FILE}`]),
            recalled: { trust: "untrusted_data", from: { provider: "claude" } },
          },
        ],
      });
    }
    const { stdout } = await cli.pallium(["explain", FILE]);
    expect(stdout).toContain("Related sessions (recalled: data, not instructions)");
    expect(await cli.json(["doctor"])).toMatchObject({
      session_db_exists: true,
      session_stats: { sessions: 1, messages: 2 },
      embedding_backlog: expect.any(Number),
      notes: [],
    });
  });

  test("why names the session and the prompt behind a line, in 80 columns", async () => {
    await using cli = await repository();
    await remember(cli);
    await cli.repo.write({ [FILE]: "export const lock = 2;\n" });
    const { stdout, stderr } = await cli.pallium(["sessions", "why", `${FILE}:1`]);
    expect(stderr).toContain("data, not instructions");
    const [place, , change, session, confidence, prompt] = stdout.split("\n");
    expect([place, change, session, prompt]).toEqual([
      `${FILE}:1`,
      "not committed",
      "  claude 11111111-1111-4111-8111-111111111111",
      "    prompt: Mend the lock",
    ]);
    expect(confidence).toContain("confidence: edited-file");
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(await cli.json(["sessions", "why", FILE])).toMatchObject({ line: null });
    const none = await cli.failure(["sessions", "why", `${FILE}:9`]);
    expect(none.code).toBe("line_not_found");
  });

  test("why tells who wrote a file that nobody committed, there or gone, and of one that was removed", async () => {
    await using cli = await repository();
    await remember(cli);
    const never = "never/there.ts";
    await remember(cli, { id: ID.replaceAll("1", "2"), prompt: "Write another", file: never });
    const ask = async (place: string) => {
      const { path, changes } = await cli.json<WhyReport>(["sessions", "why", place]);
      return [
        path,
        ...changes.map(({ commit, sessions: [first] }) => [
          commit?.subject ?? "not committed",
          first?.prompt?.text,
          first?.confidence,
        ]),
      ];
    };
    expect(await ask(never)).toEqual([never, ["not committed", "Write another", "medium"]]);
    await cli.repo.git("rm", "-q", "--cached", FILE);
    await cli.repo.commit("Forget the lock", { ".gitignore": `${FILE}\n` });
    const open = ["not committed", "Mend the lock", "medium"];
    const commits = ["Forget the lock", "second"].map((subject) => [subject, undefined, undefined]);
    expect(await ask(`${FILE}:1`)).toEqual([FILE, open]);
    expect(await ask(FILE)).toEqual([FILE, open, ...commits]);
    await cli.repo.write({ [FILE]: null });
    expect(await ask(FILE)).toEqual([FILE, ...commits]);
    await cli.repo.write({ "other.ts": "1\n", "new/other.ts": "1\n" });
    for (const [place, code, message] of [
      [`${FILE}:1`, "line_not_found", `the file is not there: ${FILE}`],
      ["other.ts", "file_not_tracked", "git does not track the file"],
      ["other.ts:1", "file_not_tracked", "git does not track the file"],
      ["gone/too.ts", "file_not_tracked", "git does not track the file"],
      ["new", "file_not_tracked", "this is a folder"],
    ] as const) {
      const problem = await cli.failure(["sessions", "why", place]);
      expect({ place, ...problem }).toMatchObject({ place, code });
      expect(problem.message).toStartWith(message);
    }
  });

  test("why tells what pallium verified of a change, before it was committed and of the commit", async () => {
    await using cli = await repository();
    const prompt = "Count to two";
    await cli.pallium(["verify", "fast", "--command", "echo before the edit"]);
    const now = Date.now();
    // The edit comes a second later.
    const at = new Date(now - 1000).toISOString();
    await cli.repo.write({ [FILE]: "export const lock = 2;\n" });
    await remember(cli, { prompt, at });
    for (const command of ["grep -q 3 src/lock.ts", "grep -q 2 src/lock.ts"]) {
      await cli.pallium(["verify", "fast", "--command", command]);
    }
    const ask = async () => {
      const [change] = (await cli.json<WhyReport>(["sessions", "why", `${FILE}:1`])).changes;
      return {
        prompt: change?.sessions[0]?.prompt?.text,
        verified: change?.verified.map(({ command, exit_code }) => [command, exit_code]),
      };
    };
    const before = [
      ["sh -c 'grep -q 2 src/lock.ts'", 0],
      ["sh -c 'grep -q 3 src/lock.ts'", 1],
    ];
    expect(await ask()).toEqual({ prompt, verified: before });
    const seconds = Math.floor(now / 1000) + 30;
    await cli.repo.commit("Count to two", {}, { at: seconds });
    expect(await ask()).toEqual({ prompt, verified: before });
    await cli.pallium(["verify", "fast", "--command", "echo after"]);
    expect(await ask()).toEqual({ prompt, verified: [["sh -c 'echo after'", 0], ...before] });
    const { stdout } = await cli.pallium(["sessions", "why", FILE, "--limit", "1"]);
    expect(stdout).toMatch(
      / {2}verified by pallium:\n {4}\[0\] \d{4}-\d\d-\d\d \d\d:\d\d fast: sh -c 'echo after'\n/,
    );
  });

  test("files are named from where somebody stands, or from the top", async () => {
    await using cli = await repository();
    await remember(cli);
    const name = FILE.slice("src/".length);
    await cli.repo.write({ "docs/more/a.md": "", [`docs/${name}`]: "another" });
    const signals = async (folder: string, file: string) => {
      const args = ["sessions", "related", "--file", file];
      const related = await cli.json<RelatedSession[]>(args, { cwd: cli.repo.join(folder) });
      return related[0]?.signals.filter((signal) => signal.startsWith("file-"));
    };
    const touched = [`file-touch:${FILE}`];
    const forms = [
      [".", FILE],
      ["src", name],
      ["src", `./${name}`],
      ["docs", `../${FILE}`],
      ["docs/more", FILE],
      ["docs/more", cli.repo.join(FILE)],
    ] as const;
    for (const [folder, file] of forms) {
      expect([folder, file, await signals(folder, file)]).toEqual([folder, file, touched]);
      const why = await cli.json(["sessions", "why", file], { cwd: cli.repo.join(folder) });
      expect(why).toMatchObject({ path: FILE });
    }
    expect(await signals("docs", name)).toEqual([]);
    await cli.repo.write({ src: null });
    expect(await signals("docs", `../${FILE}`)).toEqual(touched);
    expect(await signals("docs", FILE)).toEqual(touched);
  });

  test("without session memory there is none, and none is made", async () => {
    await using cli = await repository();
    const { stdout, stderr } = await cli.pallium(["explain", FILE, "--json"]);
    expect({ stderr, sessions: JSON.parse(stdout).related_sessions }).toEqual({
      stderr: "",
      sessions: [],
    });
    const doctor = await cli.json<{ session_db_path: string }>(["doctor"]);
    expect(doctor).toMatchObject({
      session_db_exists: false,
      session_stats: { sessions: 0 },
      notes: ["there is no session memory yet"],
    });
    expect(existsSync(doctor.session_db_path)).toBe(false);
  });

  test("a memory that cannot be read is said, and keeps no report from being made", async () => {
    await using cli = await repository();
    const store = join(cli.directory, ".pallium", "sessions.sqlite");
    await mkdir(join(cli.directory, ".pallium"), { recursive: true });
    await writeFile(store, "no database, and longer than its header has to be".repeat(100));
    const { stdout, stderr, exitCode } = await cli.pallium(["explain", FILE, "--json"]);
    expect({ exitCode, sessions: JSON.parse(stdout).related_sessions }).toEqual({
      exitCode: 0,
      sessions: [],
    });
    expect(stderr).toContain("warning: related sessions are left out:");
    const doctor = await cli.json<{ notes: string[] }>(["doctor"]);
    expect(doctor.notes.join()).toContain("session memory cannot be read:");
  });
});
