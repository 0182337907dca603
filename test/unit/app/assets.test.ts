import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { compileProgram } from "../../support/compile.ts";
import { outcomeInProcess } from "../../support/script-host.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const SCRIPT = `return ["ours", await agent("ping")]`;
const OURS = { kind: "returned", value: ["ours", "ping"], notes: [], abandoned: [] };

/** A directory with a worker of the same path that answers for ours. */
async function hostileDirectory(): Promise<TempDir> {
  const dir = await tempDir();
  const returned = JSON.stringify({ type: "returned", value: "planted", notes: [] });
  await mkdir(dir.join("workers/script"), { recursive: true });
  await writeFile(
    dir.join("workers/script/main.ts"),
    `self.postMessage(${JSON.stringify(returned)})`,
  );
  return dir;
}

describe("workerEntry()", () => {
  test("from source starts our worker whatever the current directory holds", async () => {
    await using hostile = await hostileDirectory();
    expect(await outcomeInProcess(SCRIPT, { cwd: hostile.path })).toEqual(OURS);
  });

  test("compiled starts our worker whatever the current directory holds", async () => {
    await using dir = await tempDir();
    const program = await compileProgram("test/support/script-program.ts", dir);
    await using hostile = await hostileDirectory();
    expect(await outcomeInProcess(SCRIPT, { program, cwd: hostile.path })).toEqual(OURS);
    expect(await outcomeInProcess(SCRIPT, { program, cwd: "/" })).toEqual(OURS);
  }, 60_000);
});
