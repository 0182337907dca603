import { resolve } from "node:path";
import type { Environment } from "../../platform/environment.ts";
import { processTable } from "../../platform/process/table.ts";
import { agentHomes } from "../discovery/find-transcripts.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";

const VARIABLES = { codex: "CODEX_HOME", claude: "CLAUDE_CONFIG_DIR" } as const;

/** Where the program of a process keeps what is its own: what it was started with counts, not what we were. */
export function processHomes(
  environment: Environment,
): (provider: TranscriptProvider, pid: number) => string {
  const usual = agentHomes({ ...environment, variables: {} });
  const lookups = new Map<TranscriptProvider, (pid: number) => readonly string[]>();
  return (provider, pid) => {
    const lookup = lookups.get(provider) ?? processTable.startedWith(VARIABLES[provider]);
    lookups.set(provider, lookup);
    const [given = ""] = lookup(pid);
    if (given !== "") return resolve(given);
    return provider === "codex" ? usual.codexHome : usual.claudeHome;
  };
}
