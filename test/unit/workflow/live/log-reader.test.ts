/** Output of one call, read while its workers write, and after they were begun anew or cut short. */
import { expect, test } from "bun:test";
import { appendFile, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogReader, type LoggedLine } from "../../../../src/workflow/live/log-reader.ts";
import { tempDir } from "../../../support/temp.ts";

async function texts(lines: AsyncIterable<LoggedLine>): Promise<string[]> {
  const all = await Array.fromAsync(lines);
  return all.map(({ stream, attempt, text }) => [stream, attempt, text].filter(Boolean).join(" "));
}

/** The folder of a call whose worker has been started. */
async function call(run: string, attempt = ""): Promise<string> {
  const folder = join(run, "calls", "c", attempt);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "pid"), "1\n");
  return folder;
}

test("lines come once each, as soon as they are whole; the rest at the end", async () => {
  await using run = await tempDir();
  const folder = await call(run.path);
  const out = join(folder, "stdout");
  const reader = createLogReader(run.path, "c");
  expect(await texts(reader.more())).toEqual([]);
  await appendFile(out, "one\ntw");
  expect(await texts(reader.more())).toEqual(["stdout one"]);
  expect(await texts(reader.more())).toEqual([]);
  await appendFile(out, "o\r\nthr");
  await appendFile(join(folder, "stderr"), "oops\n");
  expect(await texts(reader.more())).toEqual(["stdout two", "stderr oops"]);
  expect(await texts(reader.rest())).toEqual(["stdout thr"]);
  expect(await texts(reader.rest())).toEqual([]);
});

test("attempts follow each other in the order in which they were started", async () => {
  await using run = await tempDir();
  for (const name of ["", "retry", "first-1"]) {
    await writeFile(join(await call(run.path, name), "stdout"), "said\n");
  }
  const reader = createLogReader(run.path, "c");
  expect(await texts(reader.rest())).toEqual([
    "stdout said",
    "stdout retry said",
    "stdout first-1 said",
  ]);
});

test("an output that is begun anew is read anew; one that is cut at its limit is not", async () => {
  await using run = await tempDir();
  const folder = await call(run.path);
  const out = join(folder, "stdout");
  await writeFile(out, "one\ntwo\n");
  const reader = createLogReader(run.path, "c");
  expect(await texts(reader.more())).toEqual(["stdout one", "stdout two"]);
  await truncate(out, 4);
  expect(await texts(reader.more())).toEqual([]);
  await writeFile(join(folder, "pid"), "22\n");
  await writeFile(out, "new\n");
  expect(await texts(reader.more())).toEqual(["stdout new"]);
});

test("a link in the place of an output leads nowhere", async () => {
  await using run = await tempDir();
  const folder = await call(run.path);
  await writeFile(join(run.path, "secret"), "secret\n");
  await symlink(join(run.path, "secret"), join(folder, "stdout"));
  expect(await texts(createLogReader(run.path, "c").rest())).toEqual([]);
});
