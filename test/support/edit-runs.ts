/** Runs whose agents edit: a repository of the test's own, and agents that are shell commands. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestRepository, testRepository } from "./repository.ts";
import {
  provider,
  type ScriptOptions,
  type ScriptRun,
  type WorkflowHome,
  workflowHome,
} from "./workflow.ts";

export interface EditHome extends AsyncDisposable {
  readonly home: WorkflowHome;
  readonly repo: TestRepository;
  /** Runs a script in the repository, `agents` being commands by the name of their provider. */
  script(
    source: string,
    agents?: Readonly<Record<string, string>>,
    options?: ScriptOptions,
  ): Promise<ScriptRun>;
  /** A pallium command in the repository, its JSON parsed. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** Text of a file of the checkout; `undefined` where there is none. */
  read(path: string): Promise<string | undefined>;
  /** What git says of the checkout, sorted lines of `status --short`. */
  status(): Promise<string>;
  /** Absolute path below the run's folder. */
  runFile(...parts: readonly string[]): string;
}

/** @param files of the first commit. */
export async function editHome(
  files: Readonly<Record<string, string | Uint8Array>> = { "a.txt": "one\ntwo\nthree\n" },
): Promise<EditHome> {
  const home = await workflowHome();
  const repo = await testRepository();
  await repo.commit("base", files);
  const cwd = repo.path;
  return {
    home,
    repo,
    script: (source, agents = {}, options = {}) => {
      const env = Object.entries(agents).map(([name, command]) => provider(name, command));
      return home.script(source, { cwd, ...options, env: Object.assign({}, ...env, options.env) });
    },
    json: async (...args) => {
      const { stdout, stderr } = await home.pallium([...args, "--json"], { cwd });
      if (stdout === "") throw new Error(`no document: ${stderr}`);
      return JSON.parse(stdout);
    },
    read: async (path) => {
      try {
        return await readFile(repo.join(path), "utf8");
      } catch {
        return undefined;
      }
    },
    status: async () => (await repo.git("status", "--short")).trimEnd(),
    runFile: (...parts) => join(home.directory, ".pallium", "workflow-runs", "wf-test", ...parts),
    [Symbol.asyncDispose]: async () => {
      await home[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}
