/** Runs a command to its end and takes the JSON that it printed. */
export async function runChild<Result>(command: readonly string[]): Promise<Result> {
  await using child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe", stdin: "ignore" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`child failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** The command under a limit on the size of files, in blocks of 512 bytes. */
export function withFileLimit(blocks: number, command: readonly string[]): string[] {
  return ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh", ...command];
}
