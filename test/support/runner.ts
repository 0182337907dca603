/** A run as a process of its own, to be killed, stopped and watched. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "./cli.ts";
import type { WorkflowHome } from "./workflow.ts";

/** Starts `workflow run --id wf-test` on a script and does not wait for it. */
export async function startRun(
  home: WorkflowHome,
  source: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  program: readonly string[] = PALLIUM,
) {
  const path = join(home.directory, "script.js");
  await writeFile(path, source);
  const args = ["workflow", "run", "--id", "wf-test", "--script", path, "--json", ...flags];
  return Bun.spawn([...program, ...args], {
    cwd: home.directory,
    env: { ...home.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Whether the process whose pid is in a file of the home has ended. */
export async function isGone(home: WorkflowHome, file: string): Promise<boolean> {
  const pid = (await readFile(join(home.directory, file), "utf8")).trim();
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" || / Z /.test(stat);
}

/** Reads a stream up to a text. @throws Error when it ends before. */
export async function lineOf(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const decoder = new TextDecoder();
  let seen = "";
  for await (const chunk of stream) {
    seen += decoder.decode(chunk, { stream: true });
    if (seen.includes(text)) return;
  }
  throw new Error(`the stream ended without "${text}": ${seen}`);
}
