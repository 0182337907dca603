/** Which provider does a piece of work: names, their order of precedence, and the providers themselves. */
import { PalliumError } from "../lib/errors.ts";
import { createClaude } from "./claude.ts";
import { createCodex } from "./codex.ts";
import { createCommand } from "./command.ts";
import type { Provider } from "./contract.ts";
import { createStub } from "./stub.ts";

type Variables = Readonly<Record<string, string>>;

/** Names that mark work of our own in the journal; no agent can ask for them. */
const RESERVED = ["internal", "native"];

export interface ProvidersOptions {
  readonly variables: Variables;
  /** Program started for `codex`: a name on PATH or a path. */
  readonly codexBinary: string;
  /** The same for `claude`. */
  readonly claudeBinary: string;
  /** Models by the name of the provider, for tasks that name none. */
  readonly models: Readonly<Record<string, string>>;
  /** Absolute path of a program; `undefined` where it is not installed. */
  readonly findExecutable: (program: string) => string | undefined;
}

export interface Providers {
  /**
   * The name of the provider that serves a call which asks for `requested`, empty for none.
   * @throws PalliumError `provider_reserved`
   */
  resolve(requested: string): string;
  /** @throws PalliumError `provider_not_configured` or `provider_not_installed` */
  get(name: string): Provider;
  /** The model for tasks that name none; empty for the provider's own choice. */
  defaultModel(name: string): string;
  /** Whether the stub stands in for every provider. */
  readonly stubbed: boolean;
}

/** @throws PalliumError `stub_invalid` when the stub variables contradict themselves. */
export function createProviders(options: ProvidersOptions): Providers {
  const { variables } = options;
  const stub = createStub(variables);
  return {
    stubbed: stub !== undefined,
    resolve: (requested) => resolveProviderName(requested, variables),
    get: (name) => stub?.as(name) ?? dispatch(name, options),
    defaultModel: (name) => (Object.hasOwn(options.models, name) && options.models[name]) || "",
  };
}

/**
 * Precedence: the call's own wish, `PALLIUM_WORKFLOW_PROVIDER`, the agent that steers us, codex.
 * @throws PalliumError `provider_reserved`
 */
export function resolveProviderName(requested: string | undefined, variables: Variables): string {
  const name = named(requested) ?? chosenProvider(variables) ?? steering(variables);
  if (RESERVED.includes(name)) {
    throw new PalliumError("provider_reserved", `workflow agent provider "${name}" is reserved`, {
      hints: [
        "name another in the call, or with PALLIUM_WORKFLOW_PROVIDER, such as codex or claude",
      ],
    });
  }
  return name;
}

/** The variable that configures a provider, such as `PALLIUM_WORKFLOW_PROVIDER_MY_MODEL_COMMAND`. */
export function providerVariable(name: string): string {
  const part = name
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return `PALLIUM_WORKFLOW_PROVIDER_${part || "DEFAULT"}_COMMAND`;
}

/** The provider that the user chose for agents that name none. */
export function chosenProvider(variables: Variables): string | undefined {
  return named(variables.PALLIUM_WORKFLOW_PROVIDER);
}

function named(name: string | undefined): string | undefined {
  const trimmed = name?.trim() ?? "";
  return trimmed === "" || trimmed === "default" ? undefined : trimmed;
}

function steering(variables: Variables): string {
  return variables.CLAUDECODE || variables.CLAUDE_CODE_ENTRYPOINT ? "claude" : "codex";
}

function dispatch(name: string, options: ProvidersOptions): Provider {
  const { variables, codexBinary } = options;
  if (name === "codex") {
    return createCodex(installed(name, codexBinary, options));
  }
  const variable = providerVariable(name);
  const command = variables[variable] ?? "";
  if (command.trim() !== "") return createCommand(name, command);
  if (name === "claude") {
    const extraTools = variables.PALLIUM_WORKFLOW_CLAUDE_ALLOWED_TOOLS ?? "";
    return createClaude(installed(name, options.claudeBinary, options), extraTools);
  }
  throw new PalliumError(
    "provider_not_configured",
    `workflow agent provider "${name}" is not configured; set ${variable}`,
    { hints: [`export ${variable}='<shell command that answers>', or use codex or claude`] },
  );
}

function installed(name: string, program: string, { findExecutable }: ProvidersOptions): string {
  const path = findExecutable(program);
  if (path !== undefined) return path;
  throw new PalliumError(
    "provider_not_installed",
    `workflow agent provider "${name}" needs the program ${program}, which was not found`,
    { hints: [`install ${program}, or choose another provider with PALLIUM_WORKFLOW_PROVIDER`] },
  );
}
