/** An edit may put something else in the place of a folder. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncFolder } from "../../../../src/platform/tree-files/sync.ts";

const PUT: readonly [string, (path: string) => Promise<unknown>][] = [
  ["a folder", (path) => mkdir(path)],
  ["nothing", async () => {}],
  ["a file", (path) => Bun.write(path, "text")],
  ["a link to itself", (path) => symlink("src", path)],
  ["a link to nothing", (path) => symlink("gone", path)],
];

for (const [what, put] of PUT) {
  test(`where a folder was, and what it was in, there may be ${what}`, async () => {
    const root = await mkdtemp(join(tmpdir(), "pallium-test-"));
    try {
      await put(join(root, "src"));
      for (const folder of ["", "src", "src/inner"]) await syncFolder(root, folder);
      expect(await Bun.file(join(root, "gone")).exists()).toBe(false);
    } finally {
      await rm(root, { recursive: true });
    }
  });
}
