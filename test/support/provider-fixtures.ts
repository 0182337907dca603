/** What tests of providers need: the pinned command lines, a home of their own, tasks and files. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProcess } from "../../src/platform/process/supervisor.ts";
import type {
  AgentTask,
  CallFiles,
  ProcessProvider,
  ProviderResult,
} from "../../src/providers/contract.ts";
import { schemaText } from "../../src/providers/schema-normalise.ts";

/** A folder of a test's own, gone with it. */
export interface TestFolder extends Disposable {
  /** Absolute, links resolved. */
  readonly path: string;
  join(...parts: string[]): string;
}

export function testFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pallium-providers-")));
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A read-only task in `cwd`, but for what is given. */
export function agentTask(cwd: string, changes: Partial<AgentTask> = {}): AgentTask {
  return {
    runId: "wf-test",
    agentId: "agent-test",
    provider: "codex",
    label: "",
    mode: "read-only",
    model: "",
    repo: cwd,
    cwd,
    root: cwd,
    prompt: "Say hello.",
    network: false,
    effort: "",
    ...changes,
  };
}

/** Paths of one call's files below `dir`, which is made; nothing is written. */
export function callFiles(dir: string, withSchema = false): CallFiles {
  mkdirSync(dir, { recursive: true });
  return {
    dir,
    prompt: join(dir, "prompt.txt"),
    ...(withSchema ? { schema: join(dir, "schema.json") } : {}),
    output: join(dir, "output.txt"),
    usage: join(dir, "usage.json"),
    stdout: join(dir, "stdout"),
    stderr: join(dir, "stderr"),
  };
}

export interface RunTaskOptions {
  /** Environment of the worker; by default nothing but `PATH`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
  readonly outputLimit?: number;
  readonly signal?: AbortSignal;
}

/** Has a provider do a task as a run does: its files, its process, its reading of what that left. */
export async function runTask(
  provider: ProcessProvider,
  task: AgentTask,
  dir: string,
  options: RunTaskOptions = {},
): Promise<ProviderResult> {
  const { timeoutSeconds = 60, outputLimit = 256 * 1024 * 1024 } = options;
  const files = callFiles(dir, task.schema !== undefined);
  writeFileSync(files.prompt, provider.promptText(task));
  if (files.schema !== undefined && task.schema !== undefined) {
    writeFileSync(files.schema, schemaText(task.schema));
  }
  const invocation = provider.invocation(task, files);
  const end = await runProcess(
    {
      argv: invocation.argv,
      cwd: invocation.cwd,
      env: { PATH: process.env.PATH ?? "", ...options.variables, ...invocation.env },
      dir,
      stdinFile: files.prompt,
      stdoutFile: files.stdout,
      stderrFile: files.stderr,
      watchedFiles: [files.output, files.usage],
      deadlineMs: timeoutSeconds * 1000,
      graceMs: 500,
      outputLimit,
      marker: dir,
    },
    options.signal ?? new AbortController().signal,
  );
  return provider.interpret(task, files, end, timeoutSeconds);
}

/** Writes an executable `sh` script and returns its path. */
export function shellProgram(path: string, ...lines: readonly string[]): string {
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  return path;
}

export interface ProviderClis {
  readonly codex: string;
  readonly claude: string;
}

const CLI_FOLDER = join(import.meta.dir, "..", "provider-clis");

/** How to install what `providerClis` looks for. */
export const PROVIDER_CLIS_HINT = "run `npm ci --ignore-scripts` in test/provider-clis";

/**
 * The pinned programs themselves, from the packages of this platform: the wrappers beside them need
 * an install script or another Node. `undefined` where they are not installed.
 */
export function providerClis(): ProviderClis | undefined {
  const find = (pattern: string): string | undefined => {
    const [first] = new Bun.Glob(pattern).scanSync({ cwd: CLI_FOLDER, absolute: true });
    return first;
  };
  if (!existsSync(join(CLI_FOLDER, "node_modules"))) return undefined;
  const codex = find("node_modules/@openai/codex-*/vendor/*/bin/codex");
  const claude = find("node_modules/@anthropic-ai/claude-code-*/claude");
  return codex === undefined || claude === undefined ? undefined : { codex, claude };
}

/**
 * An environment in which plain `codex exec` and `claude -p`, found on its `PATH`, talk to the model
 * at `modelUrl` and keep everything below `folder`. It holds nothing of the user's.
 */
export function providerEnvironment(
  folder: TestFolder,
  modelUrl: string,
  clis: ProviderClis,
): Record<string, string> {
  const home = folder.join("home");
  const codexHome = folder.join("codex-home");
  const claudeHome = folder.join("claude-home");
  const temporary = folder.join("tmp");
  for (const path of [home, codexHome, claudeHome, temporary]) mkdirSync(path, { recursive: true });
  writeFileSync(join(codexHome, "config.toml"), codexConfig(modelUrl));
  return {
    PATH: [dirname(clis.codex), dirname(clis.claude), process.env.PATH ?? ""].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    CODEX_HOME: codexHome,
    MOCK_KEY: "dummy",
    CLAUDE_CONFIG_DIR: claudeHome,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  };
}

/** Where tests are, everything is below the folder of temporary files, which codex may write in. */
function codexConfig(modelUrl: string): string {
  return [
    'model = "test-model"',
    'model_provider = "mock"',
    "",
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${modelUrl}/v1"`,
    'wire_api = "responses"',
    'env_key = "MOCK_KEY"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "",
    "[sandbox_workspace_write]",
    "exclude_slash_tmp = true",
    "exclude_tmpdir_env_var = true",
    "",
  ].join("\n");
}
