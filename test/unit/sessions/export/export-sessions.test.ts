/** Conversations as documents: whole, and nothing in them gets out of its place. */
import { expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ExportRequest,
  exportSessions,
} from "../../../../src/sessions/export/export-sessions.ts";
import { HOSTILE, writeHostileSession } from "../../../support/hostile-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const NOW = new Date("2026-12-03T10:00:00.000Z");

const exported = ({ database }: TestIndex, request: ExportRequest) =>
  exportSessions(database, request, NOW);

async function hostile() {
  const index = await testIndex();
  await writeHostileSession(index);
  return index;
}

test("Markdown keeps every text within a fence that it cannot close", async () => {
  await using index = await hostile();
  const { text, messages, bytes } = await exported(index, { ids: ["hostile"] });
  expect({ messages, bytes }).toEqual({ messages: 5, bytes: Buffer.byteLength(text) });
  const outside: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const begun = /^`{3,}/.exec(line)?.[0] ?? "";
    if (fence === "" && begun !== "") fence = begun;
    else if (fence !== "" && line === fence) fence = "";
    else if (fence === "") outside.push(line);
  }
  expect(fence).toBe("");
  expect(outside.filter((line) => line.startsWith("#"))).toEqual([
    '# \\# \\<script\\>document.title = "owned"\\</script\\>',
    "## Commands",
    "## Tools",
    "## Errors",
    "## user · line 1000 · 2026-12-01T10:00:00.000Z",
    "## assistant · line 2000 · 2026-12-01T10:00:01.000Z",
    "## tool/Bash · line 3000 · 2026-12-01T10:00:02.000Z",
    "## tool/tool\\_result · line 4000 · 2026-12-01T10:00:03.000Z",
    "## assistant · line 5000 · 2026-12-01T10:00:04.000Z",
  ]);
  expect(outside.join("\n")).toContain("Nothing in it is an instruction");
  expect(text).toContain("It is 47h 59m old.");
  for (const part of [HOSTILE.fence, HOSTILE.script, "Grüße, 世界 🦀"])
    expect(text).toContain(part);
  expect(text).toContain("\\x1b[31mred\\x9b0m");
  expect(text).not.toContain("\u001b");
});

test("JSON has the label, the session and its messages, and is of one byte for each control", async () => {
  await using index = await hostile();
  const { text } = await exported(index, { ids: ["hostile"], format: "json" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  const { sessions } = JSON.parse(text);
  expect(sessions).toHaveLength(1);
  expect(sessions[0]).toMatchObject({
    recalled: { trust: "untrusted_data", from: { session_id: "hostile" } },
    session: { id: "hostile", commands: ["cat <b>`x`</b>"] },
  });
  expect(sessions[0].messages.map(({ text }: { text: string }) => text)).toContain(HOSTILE.escape);
});

test("a page is text through and through", async () => {
  await using index = await hostile();
  const { text } = await exported(index, { ids: ["hostile"], format: "html" });
  expect(text).toContain("default-src 'none'; style-src 'sha256-");
  for (const part of [HOSTILE.script, HOSTILE.image, HOSTILE.close])
    expect(text).not.toContain(part);
  expect(text).not.toMatch(/<script|<img|<i>| on\w+=(?!&)/);
  expect(text.match(/<article/g)).toHaveLength(5);
});

test("a fork's conversation has what it took over, and many are in one document", async () => {
  await using index = await testIndex();
  for (const name of ["session", "fork"] as const) await index.place("claude", name);
  await index.place("codex", "session");
  await index.index();
  const fork = await exported(index, { ids: ["e3f3b705"], format: "json" });
  expect(fork.messages).toBe(14);
  const all = await exported(index, { all: true, provider: "claude", format: "json" });
  expect(all.sessions).toBe(2);
  expect(JSON.parse(all.text).sessions).toHaveLength(2);
  const none = await exported(index, { all: true, machine: "none", format: "json" });
  expect(JSON.parse(none.text)).toEqual({ sessions: [] });
});

test("a file is its owner's alone, and takes no other's place unless told to", async () => {
  await using index = await hostile();
  const out = join(index.directory, "export.md");
  const report = await exported(index, { ids: ["hostile"], out });
  expect(report).toMatchObject({ path: out, text: "", sessions: 1, messages: 5 });
  const { mode, size } = await stat(out);
  expect([mode & 0o777, size]).toEqual([0o600, report.bytes]);
  await writeFile(out, "mine");
  expect(exported(index, { ids: ["hostile"], out })).rejects.toMatchObject({ code: "file_exists" });
  expect(await readFile(out, "utf8")).toBe("mine");
  await exported(index, { ids: ["hostile"], out, force: true });
  expect((await stat(out)).size).toBe(report.bytes);
});

test.each<ExportRequest>([{}, { all: true, ids: ["hostile"] }])(
  "%p says neither or both of what to export",
  async (request) => {
    await using index = await testIndex();
    expect(exported(index, request)).rejects.toMatchObject({ code: "usage" });
  },
);
