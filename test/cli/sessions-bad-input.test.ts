/** What lies about on computers: links in circles, closed files, transcripts of other systems and computers. */
import { describe, expect, test } from "bun:test";
import { chmod, link, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asOwner, giveToOwner } from "../support/as-owner.ts";
import { type CliHome, type CliOptions, cliHome } from "../support/cli.ts";
import { testRepository } from "../support/repository.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";

const HOUR_MS = 3_600_000;
const PROJECT = ".claude/projects/p";

const said = (id: string, text: string) =>
  `${JSON.stringify({
    type: "user",
    sessionId: id,
    uuid: `${id} ${text.slice(0, 60)}`,
    timestamp: "2026-12-01T10:00:00.000Z",
    cwd: "/gone",
    message: { role: "user", content: text },
  })}\n`;

/** Writes a file of the home, by default an hour ago. */
async function place(home: CliHome, name: string, text: string, ageMs = HOUR_MS): Promise<string> {
  const path = join(home.directory, name);
  const then = new Date(Date.now() - ageMs);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await utimes(path, then, then);
  return path;
}

/** The document that a command prints; it has to succeed. */
async function json(home: CliHome, words: string, options: CliOptions = {}) {
  const ran = await home.pallium(["sessions", ...words.split(" "), "--json"], options);
  expect(ran).toMatchObject({ exitCode: 0 });
  return JSON.parse(ran.stdout);
}

async function idsOf(home: CliHome, words: string, options: CliOptions = {}): Promise<string[]> {
  const found: { id?: string; session_id?: string }[] = await json(home, words, options);
  return found.map(({ id = "", session_id = id }) => session_id).toSorted();
}

describe("links", () => {
  test("in circles end no index, and each file is read once", async () => {
    await using home = await cliHome();
    const outside = await place(home, "elsewhere/outside.jsonl", said("outside", "far away"));
    await place(home, `${PROJECT}/inside.jsonl`, said("inside", "near by"));
    const at = (name: string) => join(home.directory, PROJECT, name);
    await symlink(join(home.directory, ".claude"), at("up"));
    await symlink("self.jsonl", at("self.jsonl"));
    await symlink("pong.jsonl", at("ping.jsonl"));
    await symlink("ping.jsonl", at("pong.jsonl"));
    await symlink("nowhere.jsonl", at("dangling.jsonl"));
    await symlink(outside, at("outside.jsonl"));
    await link(at("inside.jsonl"), at("same.jsonl"));
    const first = await home.pallium(["sessions", "index", "--json"]);
    expect(first.exitCode).toBe(0);
    for (const name of ["self", "ping", "pong"]) expect(first.stderr).toContain(`${name}.jsonl`);
    expect(first.stderr).toContain("ELOOP");
    expect(JSON.parse(first.stdout)).toMatchObject({ indexed: 2, duplicates: 1 });
    expect(await idsOf(home, "list")).toEqual(["inside", "outside"]);
    expect(await json(home, "index")).toMatchObject({ indexed: 0 });
  });
});

test("what may not be read is named, and the rest is read", async () => {
  await using home = await cliHome();
  await place(home, `${PROJECT}/open.jsonl`, said("open", "to everybody"));
  const closed = await place(home, `${PROJECT}/closed.jsonl`, said("closed", "to nobody"));
  const folder = join(home.directory, ".claude/projects/q");
  await place(home, ".claude/projects/q/below.jsonl", said("below", "a closed folder"));
  giveToOwner(home);
  await chmod(closed, 0);
  await chmod(folder, 0);
  const first = await asOwner(home, "sessions index --json");
  expect(first.exitCode).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ indexed: 1 });
  for (const path of [closed, folder]) expect(first.stderr).toContain(path);
  await chmod(closed, 0o600);
  await chmod(folder, 0o700);
  const second = await asOwner(home, "sessions index --json");
  expect(JSON.parse(second.stdout)).toMatchObject({ indexed: 2, unchanged: 1 });
});

describe("a transcript from Windows", () => {
  const CWD = "C:\\work\\app";
  const steps = [{ user: "Fix the total in src\\y.ts" }, { edit: `${CWD}\\src\\y.ts` }];

  test("is found by the files that it touched, whichever slash is asked with", async () => {
    await using home = await cliHome();
    const text = claudeTranscript({ id: "windows", cwd: CWD, steps });
    await place(home, ".claude/projects/C--work-app/windows.jsonl", text);
    expect(await json(home, "index")).toMatchObject({ indexed: 1, malformed: 0 });
    for (const file of ["y.ts", "src/y.ts", "src\\y.ts", `${CWD}\\src\\y.ts`]) {
      const ids = await idsOf(home, `list --file ${file}`);
      expect({ file, ids }).toEqual({ file, ids: ["windows"] });
    }
    expect(await idsOf(home, "list --file z.ts")).toEqual([]);
    for (const repo of [CWD, "c:/work", "C:\\work\\"]) {
      expect(await idsOf(home, `list --repo ${repo}`)).toEqual(["windows"]);
    }
    expect(await json(home, "show windows")).toMatchObject({ session: { cwd: CWD } });
  });

  test.each(["C:\\work\\app\\src\\y.ts", "C:/work/app/src/y.ts", "src\\y.ts"])(
    "is related to the clone here by its origin, and touched %s there",
    async (path) => {
      await using home = await cliHome();
      await using repo = await testRepository();
      await repo.commit("base", { "src/y.ts": "1\n", "src/z.ts": "2\n" });
      await repo.git("remote", "add", "origin", "https://host.example/app.git");
      const id = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
      const record = (type: string, payload: unknown) =>
        `${JSON.stringify({ timestamp: "2026-12-01T10:00:00.000Z", type, payload })}\n`;
      const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;
      const call = { type: "custom_tool_call", name: "apply_patch", call_id: "1", input: patch };
      const git = { repository_url: "git@host.example:app.git" };
      await place(
        home,
        `.codex/sessions/2026/12/01/rollout-2026-12-01T10-00-00-${id}.jsonl`,
        record("session_meta", { id, cwd: CWD, git }) + record("response_item", call),
      );
      expect(await json(home, "index")).toMatchObject({ indexed: 1, malformed: 0 });
      const signals = async (file: string) => {
        const [found] = await json(home, `related --file ${file}`, { cwd: repo.path });
        return found.signals;
      };
      expect(await signals("src/y.ts")).toContain("file-touch:src/y.ts");
      expect((await signals("src/z.ts")).join()).not.toContain("file-touch");
    },
  );
});

test("two computers with the same sessions keep each its own", async () => {
  await using home = await cliHome();
  await place(home, "one/p/same.jsonl", said("same", "said on the first"));
  await place(home, "two/p/same.jsonl", said("same", "said on the second"));
  const only = "index --codex-home none --claude-home none --include";
  expect(await json(home, `${only} one --machine first`)).toMatchObject({ indexed: 1 });
  expect(await json(home, `${only} two --machine second`)).toMatchObject({ indexed: 1 });
  expect(await idsOf(home, "list")).toEqual(["same", "same"]);
  expect(await idsOf(home, "list --machine first")).toEqual(["same"]);
  await place(home, "two/p/same.jsonl", said("same", "something else entirely"));
  expect(await json(home, `${only} two --machine second`)).toMatchObject({ indexed: 1 });
  expect(await json(home, `${only} one --machine first`)).toMatchObject({ unchanged: 1 });
  expect(await idsOf(home, "grep first")).toEqual(["same"]);
  expect(await idsOf(home, "grep second")).toEqual([]);
});
