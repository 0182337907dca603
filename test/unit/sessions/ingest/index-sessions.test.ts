/** Transcripts into the store: each thing once, however files grow, move, fork and break. */
import { describe, expect, test } from "bun:test";
import { appendFile, readFile, rename, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { TranscriptProvider } from "../../../../src/sessions/transcripts/types.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

const PROVIDERS: readonly TranscriptProvider[] = ["codex", "claude"];
const NAMES = ["session", "fork", "helped", "helper"] as const;
const LONG_AGO = new Date(Date.now() - 600_000);

interface Row {
  readonly id: string;
  readonly line_no: number;
  readonly role: string;
  readonly text: string;
}

/** Every conversation as it can be read, copies of other sessions' messages included. */
const CONVERSATIONS = `
  SELECT id, line_no, role, text FROM messages JOIN sessions ON sessions.key = session
  UNION ALL
  SELECT id, copy.line_no, role, text FROM message_copies AS copy
    JOIN messages ON messages.key = copy.message JOIN sessions ON sessions.key = copy.session
  ORDER BY id, line_no`;

const USER = (text: string, uuid: string) =>
  JSON.stringify({
    type: "user",
    sessionId: "broken",
    uuid,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: text },
  });

async function allPlaced() {
  const index = await testIndex();
  for (const provider of PROVIDERS) for (const name of NAMES) await index.place(provider, name);
  return index;
}

describe("an index", () => {
  test("holds every session once, and is done when nothing has changed (oracle 4)", async () => {
    await using index = await allPlaced();
    expect(await index.index()).toMatchObject({ indexed: 8, unchanged: 0, problems: [] });
    expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 8 });
    expect(await index.index({ force: true })).toMatchObject({ indexed: 8 });
    expect(index.database.all("SELECT * FROM sessions")).toHaveLength(8);
  });

  test("is the same whatever the order of reading, and when read anew", async () => {
    await using index = await allPlaced();
    await index.index();
    const first = index.database.all<Row>(CONVERSATIONS);
    expect(first.length).toBeGreaterThan(60);
    await index.index({ force: true });
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(first);
  });

  test("keeps what a fork took over as its origin's, once", async () => {
    await using index = await testIndex();
    await index.place("claude", "fork");
    await index.index();
    await index.place("claude", "session");
    await index.index();
    const asked = index.database.all<Row>(
      `SELECT id, messages.text FROM messages JOIN sessions ON sessions.key = session
       WHERE text = 'Fix the billing total that check.sh complains of'`,
    );
    expect(asked.map(({ id }) => id)).toEqual(["b19c5154-e5f9-45f3-b871-aa182e275d37"]);
    const fork = "e3f3b705-86c8-4191-80dd-1d4a8e99e9e8";
    const told = index.database.all<Row>(CONVERSATIONS).filter(({ id }) => id === fork);
    expect(told).toHaveLength(14);
  });

  test("leaves what an agent is writing for later, unless told otherwise (oracles 7, 9)", async () => {
    await using index = await testIndex();
    const path = await index.place("codex", "session");
    await utimes(path, new Date(), new Date());
    expect(await index.index()).toMatchObject({ indexed: 0, active: 1 });
    expect(await index.index({ force: true })).toMatchObject({ indexed: 1 });
  });

  test.each(PROVIDERS)("reads a transcript of %s on from where it had grown", async (provider) => {
    await using whole = await testIndex();
    const path = await whole.place(provider, "session");
    await whole.index();
    const expected = whole.database.all<Row>(CONVERSATIONS);

    await using index = await testIndex();
    const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
    const cut = Math.floor(lines.length / 2);
    const name = path.slice(whole.directory.length + 1);
    const torn = lines[cut]?.slice(0, 40) ?? "";
    const grown = await index.write(name, lines.slice(0, cut).join("") + torn);
    await index.index();
    await appendFile(grown, lines.slice(cut).join("").slice(torn.length));
    await utimes(grown, LONG_AGO, LONG_AGO);
    const outcome = await index.index();
    expect(outcome).toMatchObject({ indexed: 1, malformed: 0 });
    expect(outcome.bytes).toBe(Buffer.byteLength(lines.slice(cut).join("")));
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(expected);
  });

  test("reads a transcript anew that was replaced", async () => {
    await using index = await testIndex();
    const path = await index.place("claude", "helped");
    await index.index();
    const text = (await readFile(path, "utf8")).replaceAll("billing", "payroll of all");
    await index.write(path.slice(index.directory.length + 1), text);
    await index.index();
    const told = index.database.all<Row>(CONVERSATIONS).map((row) => row.text);
    expect(told).toContain("Use a helper to look at payroll of all");
    expect(told.join("\n")).not.toContain("look at billing");
  });

  test("knows a transcript that was moved, and one that was packed", async () => {
    await using index = await testIndex();
    const path = await index.place("codex", "session");
    await index.index();
    const before = index.database.all<Row>(CONVERSATIONS);
    const archived = join(index.directory, "codex", "archived_sessions", basename(path));
    await index.write("codex/archived_sessions/.keep", "");
    await rename(path, archived);
    expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
    const packed = await Bun.zstdCompress(await readFile(archived));
    const name = `codex/archived_sessions/${basename(archived)}.zst`;
    await index.write(name, packed);
    expect(await index.index()).toMatchObject({ indexed: 0, duplicates: 1 });
    await rm(archived);
    expect(await index.index({ force: true })).toMatchObject({ indexed: 1, duplicates: 0 });
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(before);
  });

  test("takes no file for one that was moved because it has the other's place on the disk", async () => {
    await using index = await testIndex();
    const path = await index.place("claude", "helped");
    await index.index();
    const other = join(dirname(path), "other.jsonl");
    await rename(path, other);
    const text = [USER("another one", "1"), USER("x".repeat(40_000), "2"), ""].join("\n");
    await index.write(other.slice(index.directory.length + 1), text);
    expect(await index.index()).toMatchObject({ indexed: 1 });
    const sources = index.database.all<{ path: string; id: string }>(
      "SELECT path, id FROM sources JOIN sessions ON sessions.key = session ORDER BY id",
    );
    expect(sources).toEqual([
      { path, id: "460bb3c7-01d4-405c-aeb3-ed79a689d93c" },
      { path: other, id: "broken" },
    ]);
  });

  test("leaves a fork its conversation when its origin's transcript is another now", async () => {
    await using index = await testIndex();
    const path = await index.place("claude", "session");
    await index.place("claude", "fork");
    await index.index();
    const begun = (await readFile(path, "utf8")).split("\n")[0] ?? "";
    await index.write(path.slice(index.directory.length + 1), `${begun}\n`);
    expect(await index.index()).toMatchObject({ indexed: 1, unchanged: 1 });
    const fork = "e3f3b705-86c8-4191-80dd-1d4a8e99e9e8";
    const told = index.database.all<Row>(CONVERSATIONS);
    expect(told.filter(({ id }) => id === fork)).toHaveLength(14);
    expect(told.filter(({ id }) => id !== fork)).toEqual([]);
    expect(
      index.database.all("SELECT rowid FROM message_words WHERE message_words MATCH 'billing'")
        .length,
    ).toBeGreaterThan(0);
  });

  test("keeps what it holds of a transcript that is gone", async () => {
    await using index = await testIndex();
    await rm(dirname(await index.place("claude", "session")), { recursive: true });
    await index.place("claude", "session");
    await index.index();
    const before = index.database.all<Row>(CONVERSATIONS);
    await rm(join(index.directory, "claude"), { recursive: true });
    await index.index();
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(before);
  });

  test("keeps what a transcript held that is gone, though an older copy of it turns up", async () => {
    await using index = await testIndex();
    const path = await index.place("claude", "session");
    const text = await readFile(path, "utf8");
    await index.index();
    const before = index.database.all<Row>(CONVERSATIONS);
    await rm(path);
    const copy = join("claude/projects/backup", basename(path));
    await index.write(copy, text.slice(0, text.indexOf("\n", text.length / 2) + 1));
    expect(await index.index()).toMatchObject({ indexed: 0, duplicates: 1 });
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(before);
    await index.write(copy, text);
    expect(await index.index()).toMatchObject({ indexed: 1, duplicates: 0 });
    expect(index.database.all<Row>(CONVERSATIONS)).toEqual(before);
    await rm(join(index.directory, copy));
    await index.write(
      join("claude/projects/another", basename(path)),
      text.split("\n", 1)[0] ?? "",
    );
    expect(await index.index({ force: true })).toMatchObject({ indexed: 1 });
    expect(index.database.all<Row>(CONVERSATIONS).length).toBeLessThan(before.length);
  });
});

describe("what is broken in a transcript", () => {
  test("torn lines, NUL bytes, invalid UTF-8 and lone surrogates cost only themselves", async () => {
    await using index = await testIndex();
    const lines = [
      USER("first", "1"),
      USER("torn", "2").slice(0, 50),
      "\0\0\0",
      "[1, 2]",
      "",
      USER("half \ud800 character", "3"),
      USER("nul \0 inside", "4"),
    ];
    const bytes = Buffer.concat([
      Buffer.from(`${lines.join("\n")}\n`),
      Buffer.from(USER("bad byte: X", "5").replace("X", "\xff"), "latin1"),
      Buffer.from("\n"),
    ]);
    await index.write("claude/projects/p/broken.jsonl", bytes);
    expect(await index.index()).toMatchObject({ indexed: 1, malformed: 3, problems: [] });
    expect(index.database.all<Row>(CONVERSATIONS).map(({ text }) => text)).toEqual([
      "first",
      "half � character",
      "nul � inside",
      "bad byte: �",
    ]);
  });

  test("a record of 16 MB is read like any other", async () => {
    await using index = await testIndex();
    const huge = USER(`${"lorem ipsum ".repeat(1_400_000)}needle`, "1");
    await index.write("claude/projects/p/huge.jsonl", `${huge}\n${USER("after", "2")}\n`);
    expect(await index.index()).toMatchObject({ indexed: 1, malformed: 0 });
    const found = index.database.all<{ session: number }>(
      "SELECT rowid FROM message_words WHERE message_words MATCH 'needle'",
    );
    expect(found).toHaveLength(1);
  }, 60_000);

  test("records that no reader knows are kept as they are", async () => {
    await using index = await testIndex();
    const record = '{"type":"telepathy","sessionId":"new","thought":"hm"}';
    await index.write("claude/projects/p/new.jsonl", `${record}\n`);
    await index.index();
    expect(index.database.all("SELECT line, type, text FROM unknown_records")).toEqual([
      { line: 1, type: "telepathy", text: record },
    ]);
  });
});

test("no secret of a transcript is stored anywhere (oracle 10)", async () => {
  await using index = await testIndex();
  const secret = `sk-${"aB3dE5fG7hJ9kL1m".repeat(2)}`;
  const said = (role: string, content: unknown, uuid: string) =>
    JSON.stringify({
      type: role,
      sessionId: "s",
      cwd: `/tmp/${secret}`,
      gitBranch: secret,
      uuid,
      timestamp: "2026-12-01T10:00:00.000Z",
      message: { role, content },
    });
  const lines = [
    said("user", `use ${secret}`, "1"),
    said("assistant", [{ type: "text", text: `I use ${secret}` }], "2"),
    said(
      "assistant",
      [{ type: "tool_use", id: "t", name: "Bash", input: { command: `curl -H ${secret}` } }],
      "3",
    ),
    said(
      "user",
      [{ type: "tool_result", tool_use_id: "t", is_error: true, content: `no: ${secret}` }],
      "4",
    ),
    said(
      "assistant",
      [{ type: "tool_use", id: "u", name: "Read", input: { file_path: `/x/${secret}` } }],
      "5",
    ),
    JSON.stringify({ type: "custom-title", customTitle: `title ${secret}`, sessionId: "s" }),
    JSON.stringify({ type: "strange", sessionId: "s", value: secret }),
  ];
  await index.write("claude/projects/p/s.jsonl", `${lines.join("\n")}\n`);
  await index.index();
  index.database.all("PRAGMA wal_checkpoint(TRUNCATE)");
  const stored = await readFile(index.database.path, "latin1");
  // As a number: what fails would print the whole database.
  expect(stored.split(secret).length - 1).toBe(0);
  expect(stored.match(/\[redacted/g)?.length).toBeGreaterThan(6);
});

test("of a failure its beginning is kept, without the half of a secret that begins there", async () => {
  await using index = await testIndex();
  const token = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA3"}`;
  const content = `${"x ".repeat(240)}\n${token}\n${"y ".repeat(400)}`;
  const result = { type: "tool_result", tool_use_id: "t", is_error: true, content };
  const record = { type: "user", sessionId: "s", message: { content: [result] } };
  await index.write("claude/projects/p/s.jsonl", `${JSON.stringify(record)}\n`);
  await index.index();
  const [failure] = index.database.all<{ excerpt: string }>("SELECT excerpt FROM failures");
  expect(failure?.excerpt).toStartWith("x x ");
  expect(failure?.excerpt).toHaveLength(500);
  expect(failure?.excerpt).not.toContain(token.slice(0, 10));
});
