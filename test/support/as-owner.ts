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
  { cwd = home.directory, before = [] as readonly string[] } = {},
) {
  const program = [process.execPath, "--config=/dev/null", "--no-env-file", AS_NOBODY];
  return Bun.spawn([...before, ...program, ...words.split(" ")], {
    cwd,
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
  return ended(startAsOwner(home, words, env));
}

/** Runs it to its end in a folder that it cannot look into. @param cwd is closed for good. */
export async function asOwnerInClosed(home: CliHome, cwd: string, words: string) {
  const before = ["sh", "-c", 'chmod 000 . && exec "$0" "$@"'];
  return ended(startAsOwner(home, words, {}, { cwd, before }));
}

async function ended(child: ReturnType<typeof startAsOwner>): Promise<CliResult> {
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}
