import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ensurePrivateDir,
  isDirectory,
  isFile,
  readTextFile,
  realPath,
  writeFileDurable,
  writePrivateFile,
} from "../../../src/platform/files.ts";
import { tempDir } from "../../support/temp.ts";

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const BROKEN = "\uFFFD";

test("a durable write replaces the file as a whole, for the owner alone, and leaves no other", async () => {
  await using dir = await tempDir();
  const path = dir.join("state.json");
  await writeFileDurable(path, "old and longer");
  await writeFileDurable(path, new TextEncoder().encode("new"));
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await mode(path)).toBe("600");
  expect(await readdir(dir.path)).toEqual(["state.json"]);
  await writeFileDurable(dir.join("tool"), "", 0o700);
  expect(await mode(dir.join("tool"))).toBe("700");
});

test("a durable write that fails keeps the old file and leaves no other", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("taken"));
  await expect(writeFileDurable(dir.join("taken"), "x")).rejects.toMatchObject({
    code: "io_failed",
  });
  await expect(writeFileDurable(dir.join("no", "folder"), "x")).rejects.toMatchObject({
    code: "io_failed",
    message: expect.stringContaining(dir.join("no", "folder")),
  });
  expect(await readdir(dir.path)).toEqual(["taken"]);
});

test("a private file is for the owner alone", async () => {
  await using dir = await tempDir();
  await writePrivateFile(dir.join("prompt"), "hello");
  expect(await mode(dir.join("prompt"))).toBe("600");
  expect(await readTextFile(dir.join("prompt"))).toBe("hello");
});

test("private folders are made with their parents; existing ones are kept", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("mine"), { mode: 0o755 });
  await ensurePrivateDir(dir.join("mine", "a", "b"));
  await ensurePrivateDir(dir.join("mine", "a", "b"));
  expect(await mode(dir.join("mine"))).toBe("755");
  expect(await mode(dir.join("mine", "a"))).toBe("700");
  expect(await mode(dir.join("mine", "a", "b"))).toBe("700");
  await writeFile(dir.join("file"), "");
  await expect(ensurePrivateDir(dir.join("file"))).rejects.toMatchObject({ code: "io_failed" });
});

test("a missing file reads as nothing, a folder is io_failed", async () => {
  await using dir = await tempDir();
  for (const path of [dir.join("none"), dir.join("none", "below")]) {
    expect(await readTextFile(path)).toBeUndefined();
  }
  await expect(readTextFile(dir.path)).rejects.toMatchObject({ code: "io_failed" });
});

test("reads replace invalid UTF-8 and keep a byte order mark", async () => {
  await using dir = await tempDir();
  const path = dir.join("text");
  await writeFile(path, new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62, 0xe2, 0x82]));
  expect(await readTextFile(path)).toBe(`\uFEFFa${BROKEN}b${BROKEN}`);
});

test("the real path has no links in it and must exist", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("real"));
  await symlink(dir.join("real"), dir.join("link"));
  expect(await realPath(join(dir.path, "link", "..", "link"))).toBe(dir.join("real"));
  await expect(realPath(dir.join("none"))).rejects.toMatchObject({ code: "io_failed" });
});

test("files and folders are told apart through links; what is missing is neither", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("folder"));
  await writeFile(dir.join("file"), "");
  await symlink(dir.join("folder"), dir.join("link"));
  await symlink(dir.join("none"), dir.join("dangling"));
  const kinds = async (name: string) => [
    await isFile(dir.join(name)),
    await isDirectory(dir.join(name)),
  ];
  expect(await kinds("folder")).toEqual([false, true]);
  expect(await kinds("file")).toEqual([true, false]);
  expect(await kinds("link")).toEqual([false, true]);
  expect(await kinds("dangling")).toEqual([false, false]);
  expect(await kinds("file/below")).toEqual([false, false]);
});
