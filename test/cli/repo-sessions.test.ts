/** What repo memory says of the sessions that had to do with a file. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import { type RepoCli, repoCli } from "../support/repo-cli.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";

const FILE = "src/lock.ts";

/** A repository of two commits, indexed. */
async function repository(): Promise<RepoCli> {
  const cli = await repoCli();
  await cli.repo.commit("first", { "a.ts": "1\n" });
  await cli.repo.commit("second", { [FILE]: "export const lock = 1;\n" });
  await cli.pallium(["index"]);
  return cli;
}

async function remember({ repo, directory, pallium }: RepoCli): Promise<void> {
  const id = "11111111-1111-4111-8111-111111111111";
  const steps = [{ user: "Mend the lock" }, { edit: repo.join(FILE) }];
  const folder = join(directory, ".claude/projects/p");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.jsonl`), claudeTranscript({ id, cwd: repo.path, steps }));
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
