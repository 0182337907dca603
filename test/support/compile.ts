import { fileURLToPath } from "node:url";
import type { TempDir } from "./temp.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Compiles a program of the repository, with our script worker, as releases are compiled.
 * @param entry relative to the repository.
 * @returns path of the executable, in `dir`.
 */
export async function compileProgram(entry: string, dir: TempDir): Promise<string> {
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
      entry,
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
  if ((await build.exited) !== 0) throw new Error(`cannot compile ${entry}: ${errors}`);
  return program;
}
