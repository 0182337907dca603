/** Which processes are agents, by how they were started. */
import { basename } from "node:path";
import type { OpenFiles, RunningProgram } from "../../platform/process/program.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import { isTranscriptName } from "./recent-transcripts.ts";
import type { AgentProcess } from "./types.ts";

/** Builds for a system have its name behind theirs. */
const CODEX = /^codex(?:-(?:x86_64|aarch64)-[a-z0-9_-]+)?(?:\.exe)?$/;
const CLAUDE = /^claude(?:\.exe)?$/;
/** Where Claude Code's own installer puts the programs: their names are versions. */
const CLAUDE_VERSION = /\/claude\/versions\/[^/]+$/;
const RUNTIMES = /^(?:node|nodejs|bun|deno)(?:\.exe)?$/;
/** Scripts of the packages, as a runtime is given them. */
const CODEX_SCRIPT = /(?:^|\/)codex(?:\.m?js)?$/;
const CLAUDE_SCRIPT = /(?:^|\/)claude$|\/claude-(?:code|agent-sdk)\/(?:cli|start)\.m?js$/;

/** Whose program it is, by its arguments; `undefined` for anything else. */
export function agentOf(argv: readonly string[]): TranscriptProvider | undefined {
  const [program = ""] = argv;
  const name = basename(program);
  if (CODEX.test(name)) return "codex";
  if (CLAUDE.test(name) || CLAUDE_VERSION.test(program)) return "claude";
  if (!RUNTIMES.test(name)) return undefined;
  const script = argv.slice(1).find((word) => !word.startsWith("-")) ?? "";
  if (CODEX_SCRIPT.test(script)) return "codex";
  return CLAUDE_SCRIPT.test(script) ? "claude" : undefined;
}

/** Uses of the programs in which nobody talks to an agent, unless a transcript is open. */
const SERVICES: Readonly<Record<TranscriptProvider, readonly string[]>> = {
  codex: [
    "app-server",
    "completion",
    "doctor",
    "exec-server",
    "login",
    "logout",
    "mcp",
    "mcp-server",
    "sandbox",
    "update",
    "--help",
    "--version",
  ],
  claude: [
    "auth",
    "daemon",
    "doctor",
    "install",
    "mcp",
    "plugin",
    "setup-token",
    "update",
    "--help",
    "--version",
  ],
};

/** @param open by pid. @param homeOf where the program of a pid keeps what is its own. */
export function agentProcesses(
  programs: readonly RunningProgram[],
  open: ReadonlyMap<number, OpenFiles>,
  homeOf: (provider: TranscriptProvider, pid: number) => string,
): readonly AgentProcess[] {
  const agents = programs.flatMap(({ argv, ...program }) => {
    const provider = agentOf(argv);
    if (provider === undefined) return [];
    const files = open.get(program.pid);
    const agent = {
      ...program,
      argv,
      provider,
      home: homeOf(provider, program.pid),
      cwd: files?.cwd ?? "",
      transcripts: (files?.paths ?? []).filter((path) => isTranscript(provider, path)),
    };
    return [agent];
  });
  const isStarted = (pid: number, provider: TranscriptProvider) =>
    agents.some((agent) => agent.parent === pid && agent.provider === provider);
  return agents
    .filter(({ pid, provider, argv, transcripts }) => {
      if (transcripts.length > 0) return true;
      if (argv.slice(1).some((word) => SERVICES[provider].includes(word))) return false;
      // The package of Codex is a script that starts the program and waits for it.
      return !(RUNTIMES.test(basename(argv[0] ?? "")) && isStarted(pid, provider));
    })
    .map(({ argv: _argv, parent: _parent, ...agent }) => agent);
}

const PROJECT = /\/projects\/[^/]+\/[^/]+$/;

/** The file of a session lies in the folder of its project, those of helpers deeper. */
function isTranscript(provider: TranscriptProvider, path: string): boolean {
  if (!isTranscriptName(provider, basename(path))) return false;
  return provider === "codex" || PROJECT.test(path);
}
