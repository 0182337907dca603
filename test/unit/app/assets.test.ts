import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { outcomeInProcess } from "../../support/script-host.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
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

async function compileProgram(dir: TempDir): Promise<string> {
  const program = dir.join("program");
  const build = Bun.spawn(
    [
      process.execPath,
      "build",
      "--compile",
      "--splitting",
      "--bytecode",
      "--format=esm",
      "--define=PALLIUM_COMPILED=true",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      `--outfile=${program}`,
      "test/support/script-program.ts",
      "workers/script/main.ts",
    ],
    {
      cwd: REPOSITORY,
      env: { HOME: dir.path, TMPDIR: dir.path },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const errors = await build.stderr.text();
  if ((await build.exited) !== 0) throw new Error(`cannot compile: ${errors}`);
  return program;
}

describe("workerEntry()", () => {
  test("from source starts our worker whatever the current directory holds", async () => {
    await using hostile = await hostileDirectory();
    expect(await outcomeInProcess(SCRIPT, { cwd: hostile.path })).toEqual(OURS);
  });

  test("compiled starts our worker whatever the current directory holds", async () => {
    await using dir = await tempDir();
    const program = await compileProgram(dir);
    await using hostile = await hostileDirectory();
    expect(await outcomeInProcess(SCRIPT, { program, cwd: hostile.path })).toEqual(OURS);
    expect(await outcomeInProcess(SCRIPT, { program, cwd: "/" })).toEqual(OURS);
  });
});
