/** The real Codex and Claude Code as a user starts them by hand, outside of any workflow. */
import { type CliResult, cliHome } from "./cli.ts";
import type { ModelRequest, ModelTurn } from "./model-server.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import {
  PROVIDER_CLIS_HINT,
  providerClis,
  providerEnvironment,
  testFolder,
} from "./provider-fixtures.ts";
import { CODEX_MODEL, type RealName } from "./real-runs.ts";
import { type TestRepository, testRepository } from "./repository.ts";

export interface BareAgents extends AsyncDisposable {
  readonly repo: TestRepository;
  readonly requests: ModelServer["requests"];
  /** What Codex and Claude Code find of themselves. */
  readonly env: Readonly<Record<string, string>>;
  /** Has an agent do something in the repository. @returns what it printed; fails when it does. */
  ask(name: RealName, prompt: string): Promise<string>;
  /** A pallium command, in the repository or a folder of it. */
  pallium(args: readonly string[], folder?: string): Promise<CliResult>;
  /** The same, its JSON parsed. */
  json<T>(args: readonly string[], folder?: string): Promise<T>;
}

const COMMANDS: Readonly<Record<RealName, (prompt: string) => readonly string[]>> = {
  codex: (prompt) => [
    "codex",
    "exec",
    "--model",
    CODEX_MODEL,
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  claude: (prompt) => [
    "claude",
    "-p",
    prompt,
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    "Bash,Edit,Read,Write,Agent,Task",
  ],
};

/** @param files of the first commit. */
export async function bareAgents(
  model: (request: ModelRequest) => ModelTurn,
  files: Readonly<Record<string, string>>,
): Promise<BareAgents> {
  const clis = providerClis();
  if (clis === undefined) throw new Error(PROVIDER_CLIS_HINT);
  const folder = testFolder();
  const home = await cliHome();
  const repo = await testRepository();
  await repo.commit("base", files);
  await repo.git("config", "user.name", "ann");
  await repo.git("config", "user.email", "ann@example.com");
  const server = startModelServer(model);
  const env = providerEnvironment(folder, server.url, clis);
  const pallium: BareAgents["pallium"] = (args, below = ".") =>
    home.pallium(args, {
      cwd: repo.join(below),
      env: { CODEX_HOME: env.CODEX_HOME ?? "", CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR ?? "" },
    });
  return {
    repo,
    env,
    requests: server.requests,
    ask: async (name, prompt) => {
      const child = Bun.spawn([...COMMANDS[name](prompt)], {
        cwd: repo.path,
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr, status] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ]);
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}${stdout}`);
      return stdout;
    },
    pallium,
    json: async (args, below) => {
      const { stdout, stderr } = await pallium([...args, "--json"], below);
      if (stdout === "") throw new Error(`no document: ${stderr}`);
      return JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
