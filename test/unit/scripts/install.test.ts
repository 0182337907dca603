/** Installing as scripts do it: in Node.js, with an npm that is seen at work. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { writeTree } from "../../support/build.ts";
import { fileAppears } from "../../support/files.ts";
import { lineOf } from "../../support/runner.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const INSTALL = resolve(import.meta.dir, "../../../scripts/setup/install.mjs");
/** Empties the folder first, as `npm ci` does, and goes on when it is told. */
const NPM = `#!/bin/sh
rm -rf node_modules
echo . >>../runs
touch ../began
until [ -e ../go ]; do sleep 0.01; done
mkdir node_modules
`;

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
  await writeTree(dir.path, { "bin/npm": NPM, "project/package-lock.json": "{}" });
  await chmod(dir.join("bin/npm"), 0o755);
});
afterEach(() => dir[Symbol.asyncDispose]());

function install() {
  const program = `import { install } from ${JSON.stringify(INSTALL)};
    install(${JSON.stringify(dir.join("project"))}, "what is needed");`;
  return Bun.spawn(["node", "--input-type=module", "--eval", program], {
    env: { PATH: `${dir.join("bin")}:${process.env.PATH}`, HOME: dir.path },
    stdout: "ignore",
    stderr: "pipe",
  });
}

/** How often npm was run. */
async function runs(): Promise<number> {
  return (await Bun.file(dir.join("runs")).text()).split(".").length - 1;
}

test("of two that begin at once, the second waits and finds everything there", async () => {
  const first = install();
  await fileAppears(dir.join("began"));
  const second = install();
  await lineOf(second.stderr, `Waiting for process ${first.pid}, which installs what is needed`);
  await writeFile(dir.join("go"), "");
  expect([await first.exited, await second.exited]).toEqual([0, 0]);
  expect(await runs()).toBe(1);
  expect(readdirSync(dir.join("project")).sort()).toEqual(["node_modules", "package-lock.json"]);
});

test("the lock of a process that was killed is taken over", async () => {
  const first = install();
  await fileAppears(dir.join("began"));
  first.kill("SIGKILL");
  await first.exited;
  expect(existsSync(dir.join("project/.installing"))).toBe(true);
  await writeFile(dir.join("go"), "");
  const second = install();
  expect(await second.exited).toBe(0);
  expect(await runs()).toBe(2);
});

test("a lock whose pid belongs to another process by now is taken over", async () => {
  await writeFile(dir.join("go"), "");
  await writeFile(dir.join("project/.installing"), `${process.pid} long ago\n`);
  expect(await install().exited).toBe(0);
});

test("what npm fails with leaves no lock behind", async () => {
  await writeFile(dir.join("bin/npm"), "#!/bin/sh\nexit 1\n");
  expect(await install().exited).toBe(1);
  expect(readdirSync(dir.join("project"))).toEqual(["package-lock.json"]);
});
