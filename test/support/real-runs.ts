/** Workflows whose agents are the real Codex and Claude Code command lines, their model on loopback. */
import { readFile } from "node:fs/promises";
import { cliHome } from "./cli.ts";
import {
  type ModelRequest,
  type ModelServer,
  type ModelTurn,
  startModelServer,
} from "./model-server.ts";
import {
  PROVIDER_CLIS_HINT,
  providerClis,
  providerEnvironment,
  testFolder,
} from "./provider-fixtures.ts";
import { type TestRepository, testRepository } from "./repository.ts";
import { type ScriptRun, scriptRun } from "./workflow.ts";

export type RealName = "codex" | "claude";

export interface RealRuns extends AsyncDisposable {
  readonly repo: TestRepository;
  readonly requests: ModelServer["requests"];
  /** Runs a script in the repository. */
  script(
    source: string,
    options?: { flags?: readonly string[]; env?: Readonly<Record<string, string>> },
  ): Promise<ScriptRun>;
  /** A pallium command in the repository, its JSON parsed. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** Text of a file of the checkout; `undefined` where there is none. */
  read(path: string): Promise<string | undefined>;
}

/** Of codex; it is offered its patch tool. */
export const CODEX_MODEL = "gpt-5.5";

/**
 * @param model says what the model does next; `runs` is there once the first request comes.
 * @param files of the first commit.
 */
export async function realRuns(
  model: (request: ModelRequest, runs: RealRuns) => ModelTurn | Promise<ModelTurn>,
  files: Readonly<Record<string, string>>,
): Promise<RealRuns> {
  const clis = providerClis();
  if (clis === undefined) throw new Error(PROVIDER_CLIS_HINT);
  const folder = testFolder();
  const home = await cliHome();
  const repo = await testRepository();
  await repo.commit("base", files);
  const server = startModelServer((request) => model(request, runs));
  const surroundings = { cwd: repo.path, env: providerEnvironment(folder, server.url, clis) };
  const runs: RealRuns = {
    repo,
    requests: server.requests,
    script: (source, { flags = [], env = {} } = {}) =>
      scriptRun(home, source, { ...surroundings, flags, env: { ...surroundings.env, ...env } }),
    json: async (...args) => {
      const { stdout, stderr } = await home.pallium([...args, "--json"], surroundings);
      if (stdout === "") throw new Error(`no document: ${stderr}`);
      return JSON.parse(stdout);
    },
    read: (path) => readFile(repo.join(path), "utf8").catch(() => undefined),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  return runs;
}
