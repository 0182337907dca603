/** `workflow diff` on the run of an edit home. */
import type { RepoChanges } from "../../src/workflow/diff/changed-files.ts";
import { PALLIUM } from "./cli.ts";
import type { EditHome } from "./edit-runs.ts";
import { onTerminal } from "./terminal.ts";
import { errorOf } from "./workflow.ts";

/** A script with one agent that edits, called `editor`. */
export const ONE_EDIT = `return await agent("edit", { label: "editor", mode: "edit", provider: "editor" });`;

export const diff = ({ home }: EditHome, ...args: string[]) =>
  home.pallium(["workflow", "diff", "wf-test", ...args]);

/** The document. */
export const changes = ({ json }: EditHome, ...args: string[]) =>
  json<RepoChanges[]>("workflow", "diff", "wf-test", ...args);

/** The bytes that a pipe gets, to which no text is equal. */
export async function bytes({ home }: EditHome, ...args: string[]): Promise<Uint8Array> {
  const child = Bun.spawn([...PALLIUM, "workflow", "diff", "wf-test", ...args], {
    cwd: home.directory,
    env: { ...home.env },
    stderr: "ignore",
  });
  return await child.stdout.bytes();
}

/** What a terminal gets. */
export function screen({ home }: EditHome, columns: number, ...args: string[]): Promise<string> {
  const command = [...PALLIUM, "workflow", "diff", "wf-test", ...args];
  return onTerminal(command, { columns, env: { HOME: home.directory } });
}

/** The error document. */
export async function failure(edits: EditHome, ...args: string[]) {
  const { stderr, stdout, exitCode } = await diff(edits, ...args, "--json");
  if (stdout !== "" || exitCode !== 1) throw new Error(`no failure: ${exitCode}`);
  return errorOf(stderr);
}
