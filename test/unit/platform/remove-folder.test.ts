import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "../../../src/platform/folder-size.ts";
import { emptyFolder, removeFolder } from "../../../src/platform/remove-folder.ts";
import { tempDir } from "../../support/temp.ts";

const NO_TEXT = Buffer.from([0xff, 0xfe]);

async function fill(folder: string, files: number): Promise<void> {
  await mkdir(join(folder, "deep", "er"), { recursive: true });
  for (let file = 0; file < files; file += 1)
    await writeFile(join(folder, "deep", `${file}`), "12");
  await writeFile(Buffer.concat([Buffer.from(`${folder}/deep/er/`), NO_TEXT]), "345");
}

test("a folder has the size of its files, links not counted, and a missing one none", async () => {
  await using dir = await tempDir();
  await fill(dir.join("a"), 5);
  await fill(dir.join("b"), 100);
  await symlink(dir.join("b"), dir.join("a", "folder"));
  await symlink(dir.join("b", "deep", "1"), dir.join("a", "file"));
  expect(await folderSize(dir.join("a"))).toBe(13);
  expect(await folderSize(dir.join("none"))).toBe(0);
});

test("several remove one folder at once", async () => {
  await using dir = await tempDir();
  await fill(dir.join("a"), 500);
  await Promise.all(Array.from({ length: 4 }, () => removeFolder(dir.join("a"))));
  await removeFolder(dir.join("a"));
  expect(existsSync(dir.join("a"))).toBe(false);
});

test("a folder is emptied but for one name; what links lead to stays", async () => {
  await using dir = await tempDir();
  await fill(dir.join("a"), 5);
  await fill(dir.join("b"), 1);
  await symlink(dir.join("b"), dir.join("a", "link"));
  await writeFile(dir.join("a", "keep"), "");
  await emptyFolder(dir.join("a"), "keep");
  expect(await readdir(dir.join("a"))).toEqual(["keep"]);
  expect(existsSync(dir.join("b", "deep", "0"))).toBe(true);
  await emptyFolder(dir.join("none"), "keep");
});
