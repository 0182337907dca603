/** Which real providers can be used here: their programs are installed and somebody is logged in. */
import { join } from "node:path";
import { readHead } from "../platform/bounded-read.ts";
import { chosenProvider, providerVariable, resolveProviderName } from "./resolve.ts";

/** Reads the keychain of macOS; it asks the user only for secrets, which nobody wants here. */
const KEYCHAIN_PROGRAM = "/usr/bin/security";
const KEYCHAIN_ENTRY = "Claude Code-credentials";

export interface ProviderAvailability {
  readonly name: "codex" | "claude";
  /** Absolute path of the program; absent where it is not installed. */
  readonly path?: string;
  readonly loggedIn: boolean;
}

export interface AvailabilityOptions {
  readonly variables: Readonly<Record<string, string>>;
  readonly home: string;
  /** Name or path of the Codex command line. */
  readonly codexBinary: string;
  readonly findExecutable: (program: string) => string | undefined;
  /** Runs a program to its end, its output dropped. */
  readonly exitStatus: (argv: readonly string[]) => Promise<number | null>;
}

/** Looks without asking any model: nothing is spent. */
export async function providerAvailability(
  options: AvailabilityOptions,
): Promise<readonly ProviderAvailability[]> {
  const codex = options.findExecutable(options.codexBinary);
  const claude = options.findExecutable("claude");
  return [
    codex === undefined
      ? { name: "codex", loggedIn: false }
      : { name: "codex", path: codex, loggedIn: await codexLoggedIn(codex, options) },
    claude === undefined
      ? { name: "claude", loggedIn: false }
      : { name: "claude", path: claude, loggedIn: await claudeLoggedIn(options) },
  ];
}

/**
 * The provider that serves agents that name none, where it can: the one that would be asked, else,
 * unless that was chosen by name, another that can. `undefined` where nobody can.
 */
export function usableProvider(
  variables: Readonly<Record<string, string>>,
  available: readonly ProviderAvailability[],
): string | undefined {
  const first = resolveProviderName("", variables);
  const ready = available.filter(({ loggedIn }) => loggedIn).map(({ name }) => name as string);
  if (isConfigured(first, variables) || ready.includes(first)) return first;
  return chosenProvider(variables) === undefined ? ready[0] : undefined;
}

function isConfigured(name: string, variables: Readonly<Record<string, string>>): boolean {
  if (variables.PALLIUM_WORKFLOW_AGENT_STUB) return true;
  return name !== "codex" && (variables[providerVariable(name)] ?? "").trim() !== "";
}

async function codexLoggedIn(path: string, { exitStatus }: AvailabilityOptions): Promise<boolean> {
  return (await exitStatus([path, "login", "status"])) === 0;
}

/**
 * Not every version of the program has a command that tells, and one without would ask a model
 * instead. On macOS its credentials are in the keychain, which is asked whether there are any; those
 * of another configuration folder bear another name there.
 */
async function claudeLoggedIn(options: AvailabilityOptions): Promise<boolean> {
  const { variables, home, findExecutable, exitStatus } = options;
  if (variables.ANTHROPIC_API_KEY || variables.CLAUDE_CODE_OAUTH_TOKEN) return true;
  const ownFolder = variables.CLAUDE_CONFIG_DIR;
  const folder = ownFolder || join(home, ".claude");
  if ((await readHead(join(folder, ".credentials.json"), 1)) !== undefined) return true;
  const security = ownFolder ? undefined : findExecutable(KEYCHAIN_PROGRAM);
  if (security === undefined) return false;
  return (await exitStatus([security, "find-generic-password", "-s", KEYCHAIN_ENTRY])) === 0;
}
