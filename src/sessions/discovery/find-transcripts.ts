/** Where the transcripts of agents lie, by the names and folders of the programs that write them. */
import { basename, join, resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import type { Environment } from "../../platform/environment.ts";
import { type FoundFile, lookAt, walkFiles } from "../../platform/walk-files.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";

export interface TranscriptFile extends FoundFile {
  readonly provider: TranscriptProvider;
}

/** The folders in which the agents' programs keep what is theirs; absolute. */
export interface AgentHomes {
  readonly codexHome: string;
  readonly claudeHome: string;
}

export interface TranscriptPlaces extends AgentHomes {
  readonly providers: readonly TranscriptProvider[];
  /** Absolute paths of files and folders besides; names say whose they are. */
  readonly include: readonly string[];
}

export interface FoundTranscripts {
  /** By path, each once. */
  readonly files: readonly TranscriptFile[];
  /** What could not be looked at, as a sentence each. */
  readonly problems: readonly string[];
}

/** `CODEX_HOME` and `CLAUDE_CONFIG_DIR`, else the folders in the user's home. */
export function agentHomes({ cwd, variables, home }: Environment): AgentHomes {
  return {
    codexHome: resolve(cwd, variables.CODEX_HOME || join(home, ".codex")),
    claudeHome: resolve(cwd, variables.CLAUDE_CONFIG_DIR || join(home, ".claude")),
  };
}

/** @throws PalliumError `transcripts_not_found` where there is nothing at a path of `include`. */
export function findTranscripts(places: TranscriptPlaces): FoundTranscripts {
  const { providers, codexHome, claudeHome, include } = places;
  const files = new Map<string, TranscriptFile>();
  const problems: string[] = [];
  const problem = (line: string) => void problems.push(line);
  const wanted = (name: string) => {
    const provider = providerOf(name);
    return provider !== undefined && providers.includes(provider);
  };
  const take = (file: FoundFile): void => {
    const provider = providerOf(file.name);
    if (provider !== undefined) files.set(file.path, { ...file, provider });
  };
  const roots: string[] = [];
  if (providers.includes("codex")) {
    roots.push(join(codexHome, "sessions"), join(codexHome, "archived_sessions"));
  }
  if (providers.includes("claude")) roots.push(join(claudeHome, "projects"));
  for (const path of include) {
    const found = lookAt(path, basename(path), problem);
    if (found === "missing") throw notIncluded(path);
    if (found === "folder") roots.push(path);
    else if (found !== "other" && wanted(found.name)) take(found);
  }
  for (const root of roots) for (const file of walkFiles(root, wanted, problem)) take(file);
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), problems };
}

function providerOf(name: string): TranscriptProvider | undefined {
  if (name.startsWith("rollout-")) return /\.jsonl(?:\.zst)?$/.test(name) ? "codex" : undefined;
  return name.endsWith(".jsonl") ? "claude" : undefined;
}

function notIncluded(path: string): PalliumError {
  return new PalliumError("transcripts_not_found", `there is no file or folder at ${path}`, {
    hints: ["look at the path given with --include"],
  });
}
