/** `.ci/run` finds its scripts however it is called. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { tempDir } from "../../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../../..");

test.each([
  { name: "from the root", cwd: ROOT, script: ".ci/run" },
  {
    name: "from above",
    cwd: dirname(ROOT),
    script: `${ROOT.slice(dirname(ROOT).length + 1)}/.ci/run`,
  },
  { name: "from elsewhere", cwd: "/", script: `${ROOT}/.ci/run` },
])("called $name it hands node files that are there", async ({ cwd, script }) => {
  await using bin = await tempDir();
  await Bun.write(bin.join("node"), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  await chmod(bin.join("node"), 0o755);
  const child = Bun.spawn(["sh", script], {
    cwd,
    env: { PATH: `${bin.path}:${process.env.PATH}` },
    stdin: "ignore",
    stdout: "pipe",
  });
  const words = (await child.stdout.text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  const paths = words.filter((word) => !word.startsWith("-"));
  expect(paths).toHaveLength(2);
  expect(paths.filter((path) => !isAbsolute(path) || !existsSync(path))).toEqual([]);
});
