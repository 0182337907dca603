/** The flags that bound a run, of the commands that execute one. */
import { optional } from "../../../lib/optional.ts";
import type { RunLimits } from "../../../workflow/run/limits.ts";
import type { CommandArgs, ParsedArgs } from "../../command.ts";

export const LIMIT_ARGS = {
  codex: { type: "string", description: "Binary for the codex worker", valueHint: "path" },
  "max-agents": {
    type: "string",
    description: "Most agents over the life of the run (default 1000)",
    valueHint: "n",
  },
  "max-concurrent-agents": {
    type: "string",
    description: "Most agents at the same time (default 16)",
    valueHint: "n",
  },
  "max-budget-usd": {
    type: "string",
    description: "Most US dollars over the life of the run; 0 allows no paid agent",
    valueHint: "amount",
  },
  "max-tokens": {
    type: "string",
    description: "Most input and output tokens over the life of the run; 0 allows none",
    valueHint: "n",
  },
  retries: {
    type: "string",
    description: "How often a call is tried again whose provider is busy (default 3)",
    valueHint: "n",
  },
  "provider-concurrency": {
    type: "string",
    description: "Most agents of a provider at the same time, such as codex=4,claude=2",
    valueHint: "list",
  },
  fallback: {
    type: "string",
    description: "Providers for agents whose own has no quota left or is not installed",
    valueHint: "list",
  },
  "resume-after-quota": {
    type: "boolean",
    description: "Wait for a used-up quota to come back, then go on",
  },
  "agent-timeout": {
    type: "string",
    description: "Seconds an agent may take (default 600), 0 for no limit",
    valueHint: "seconds",
  },
  link: {
    type: "string",
    description: "Folders of the checkout that agents in trees of their own see too",
    valueHint: "node_modules,.venv",
  },
  "include-dirty": {
    type: "boolean",
    description: "Edits begin from what is in the checkout, uncommitted changes included",
  },
  "allow-network": { type: "boolean", description: "Let agents that ask for it use the network" },
  strict: { type: "boolean", description: "Fail the run when any call failed" },
  "max-depth": {
    type: "string",
    description: "Allow runs started by workers, this many deep",
    valueHint: "n",
  },
  "script-stall": {
    type: "string",
    description: "Seconds a busy script may take before it awaits something (default 10)",
    valueHint: "seconds",
  },
  "script-memory": {
    type: "string",
    description: "Memory a script may take, in MiB (default 512)",
    valueHint: "mib",
  },
  "message-limit": {
    type: "string",
    description: "Most of one argument, answer or result of a script, in MiB (default 16)",
    valueHint: "mib",
  },
  "log-line-limit": {
    type: "string",
    description: "Where a line of log() is cut, in KiB (default 64)",
    valueHint: "kib",
  },
  "output-limit": {
    type: "string",
    description: "Most output of one agent or check, in MiB (default 256)",
    valueHint: "mib",
  },
  "max-duration": {
    type: "string",
    description: "Seconds until a run that has not ended is ended",
    valueHint: "seconds",
  },
  notify: {
    type: "string",
    description: "Command line that is run when the run ends or waits for a person",
    valueHint: "command",
  },
  background: { type: "boolean", description: "Go on in a process of its own and return at once" },
} as const satisfies CommandArgs;

/** The store a command was told to use. */
export function limitsOf(args: ParsedArgs): RunLimits {
  return optional({
    codex: args.text("codex"),
    max_agents: args.integer("max-agents"),
    max_concurrent_agents: args.integer("max-concurrent-agents"),
    max_budget_usd: args.text("max-budget-usd"),
    max_tokens: args.integer("max-tokens"),
    retries: args.integer("retries"),
    provider_concurrency: args.text("provider-concurrency"),
    fallback: args.text("fallback"),
    resume_after_quota: args.given("resume-after-quota")
      ? args.flag("resume-after-quota")
      : undefined,
    agent_timeout: args.integer("agent-timeout"),
    allow_network: args.given("allow-network") ? args.flag("allow-network") : undefined,
    links: args.text("link"),
    include_dirty: args.given("include-dirty") ? args.flag("include-dirty") : undefined,
    max_depth: args.integer("max-depth"),
    script_stall: args.integer("script-stall"),
    script_memory: args.integer("script-memory"),
    message_limit: args.integer("message-limit"),
    log_line_limit: args.integer("log-line-limit"),
    output_limit: args.integer("output-limit"),
    notify: args.text("notify"),
    max_duration: args.integer("max-duration"),
    strict: args.given("strict") ? args.flag("strict") : undefined,
  });
}
