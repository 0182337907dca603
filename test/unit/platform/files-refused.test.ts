import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runChild, withFileLimit } from "../../support/child.ts";
import { tempDir } from "../../support/temp.ts";

const CHILD = join(import.meta.dir, "../../support/files-child.ts");
const command = (action: string, path: string) => [process.execPath, CHILD, action, path];
const refused = (code: string, path: string) => ({
  code,
  message: expect.stringContaining(path),
  hints: [expect.stringMatching(/\w/)],
});

test("a durable write that hits a full disk is disk_full and keeps the old file", async () => {
  await using dir = await tempDir();
  await chmod(dir.path, 0o777);
  const path = dir.join("state");
  await writeFile(path, "old");
  const outcome = await runChild(withFileLimit(8, command("write", path)));
  expect(outcome).toEqual(refused("disk_full", path));
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readdir(dir.path)).toEqual(["state"]);
});

test("what permissions forbid is permission_denied", async () => {
  await using dir = await tempDir();
  await chmod(dir.path, 0o755);
  await writeFile(dir.join("secret"), "x", { mode: 0o000 });
  await mkdir(dir.join("locked"), { mode: 0o555 });
  const file = dir.join("locked", "file");
  const folder = dir.join("locked", "folder");
  expect(await runChild(command("write", file))).toEqual(refused("permission_denied", file));
  expect(await runChild(command("folder", folder))).toEqual(refused("permission_denied", folder));
  expect(await runChild(command("read", dir.join("secret")))).toEqual(
    refused("permission_denied", dir.join("secret")),
  );
});
