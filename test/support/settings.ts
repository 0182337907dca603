/** A repository and a home whose settings files a test writes. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SettingsReport } from "../../src/workflow/settings/resolve.ts";
import type { CliResult } from "./cli.ts";
import { type EditHome, editHome } from "./edit-runs.ts";

type Variables = Readonly<Record<string, string>>;

export interface SettingsHome extends AsyncDisposable {
  readonly edits: EditHome;
  readonly userFile: string;
  readonly repoFile: string;
  /** A pallium command in the repository. */
  call(args: readonly string[], env?: Variables): Promise<CliResult>;
  settings(env?: Variables): Promise<SettingsReport>;
  /** Value and source of one setting. */
  inForce(key: string, env?: Variables): Promise<readonly unknown[]>;
}

export async function settingsHome(): Promise<SettingsHome> {
  const edits = await editHome();
  const call = (args: readonly string[], env: Variables = {}) =>
    edits.home.pallium(args, { cwd: edits.repo.path, env });
  const settings = async (env: Variables = {}): Promise<SettingsReport> => {
    const { stdout, stderr } = await call(["settings", "--json"], env);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return {
    edits,
    userFile: join(edits.home.directory, ".pallium", "config.json"),
    repoFile: edits.repo.join(".pallium/config.json"),
    call,
    settings,
    inForce: async (key, env) => {
      const found = (await settings(env)).settings.find((one) => one.key === key);
      return [found?.value, found?.source];
    },
    [Symbol.asyncDispose]: () => edits[Symbol.asyncDispose](),
  };
}

/** Writes a settings file, and the folder it is in. */
export async function writeSettings(path: string, content: object | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
}

/** The command of a provider that answers a text. */
export function says(text: string): string {
  return `printf '${text}'`;
}

/** Asks the provider of those that name none. */
export const ASKS = `return await agent("x", { label: "a" });`;
