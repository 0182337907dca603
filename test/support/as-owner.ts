/** The program as somebody to whom permissions apply, in a home that is theirs. */
import { join } from "node:path";
import type { CliHome, CliResult } from "./cli.ts";
import { NOBODY } from "./give-up-root.ts";

const AS_NOBODY = join(import.meta.dir, "cli-as-nobody.ts");

/** Gives a home to whom `startAsOwner` runs as; needed where this process is root. */
export function giveToOwner(home: CliHome): void {
  if (process.getuid?.() !== 0) return;
  Bun.spawnSync(["chown", "-R", `${NOBODY}:${NOBODY}`, home.directory]);
}

/** Starts pallium as the owner of the home, who is nobody where this process is root. */
export function startAsOwner(
  home: CliHome,
  words: string,
  env: Readonly<Record<string, string>> = {},
) {
  const program = [process.execPath, "--config=/dev/null", "--no-env-file", AS_NOBODY];
  return Bun.spawn([...program, ...words.split(" ")], {
    cwd: home.directory,
    env: { ...home.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs it to its end. */
export async function asOwner(
  home: CliHome,
  words: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const child = startAsOwner(home, words, env);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}
