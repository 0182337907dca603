/** The settings there are: what each may hold, who may say it, and which variable says it too. */
import type { Json } from "../../lib/json.ts";
import { createPrices } from "../../providers/prices.ts";
import { providerVariable, resolveProviderName } from "../../providers/resolve.ts";
import { parseLinks } from "../edits/worktrees/linked-folders.ts";
import { HIGHEST_LIMITS, LIMIT_DEFAULTS, RUN_DEFAULTS } from "../run/limits.ts";
import { parseProviderConcurrency } from "../run/slots.ts";
import {
  command,
  dollars,
  flag,
  type Kind,
  names,
  shellCommand,
  taken,
  text,
  whole,
  wholeOrNone,
} from "./kinds.ts";

/** Who may say it: the user's own file alone, or a repository's too. */
type Audience = "user" | "both";

export interface SettingSpec {
  readonly kind: Kind;
  readonly audience: Audience;
  /** In force where nobody says anything; absent for nothing at all. */
  readonly byDefault?: Json;
  /** Environment variable that goes before it. */
  readonly variable?: string;
  /**
   * Whether a repository that is not trusted may say it where it bounds more narrowly. Everything
   * else of such a repository is left out: it could run a command, open the network or spend money.
   */
  readonly bounds?: true;
}

const limit = (kind: Kind, byDefault?: number): SettingSpec => ({
  kind,
  audience: "both",
  bounds: true,
  ...(byDefault === undefined ? {} : { byDefault }),
});
const trusted = (kind: Kind, variable?: string): SettingSpec => ({
  kind,
  audience: "both",
  ...(variable === undefined ? {} : { variable }),
});

const provider = taken("the name of a provider, such as codex or claude", (name) =>
  resolveProviderName(name, {}),
);
const concurrency = taken("such as codex=4,claude=2", parseProviderConcurrency);
const prices: Kind = {
  expects: 'such as {"my-model": {"input": 1.25, "cached_input": 0.125, "output": 10}}',
  read: (value) => taken("", createPrices).read(JSON.stringify(value)),
};
const links = taken("folders inside the repository", parseLinks, names);

const SETTINGS: Readonly<Record<string, SettingSpec>> = {
  provider: trusted(provider, "PALLIUM_WORKFLOW_PROVIDER"),
  codex: { ...trusted(text), byDefault: "codex" },
  claude: { ...trusted(text), byDefault: "claude" },
  claude_tools: trusted(names, "PALLIUM_WORKFLOW_CLAUDE_ALLOWED_TOOLS"),
  fallback: trusted(names, "PALLIUM_WORKFLOW_FALLBACK"),
  provider_concurrency: trusted(concurrency, "PALLIUM_WORKFLOW_PROVIDER_CONCURRENCY"),
  agent_cost_usd: trusted(dollars, "PALLIUM_WORKFLOW_AGENT_COST_USD"),
  prices: trusted(prices, "PALLIUM_WORKFLOW_PRICES"),
  allow_network: { ...trusted(flag(false)), byDefault: false, bounds: true },
  strict: { ...trusted(flag(true)), byDefault: false, bounds: true },
  include_dirty: { ...trusted(flag()), byDefault: false },
  links: trusted(links),
  resume_after_quota: { ...trusted(flag()), byDefault: false },
  notify: trusted(command, "PALLIUM_WORKFLOW_NOTIFY"),
  "limits.max_agents": limit(whole(1), RUN_DEFAULTS.max_agents),
  "limits.max_concurrent_agents": limit(whole(1), RUN_DEFAULTS.max_concurrent_agents),
  "limits.max_budget_usd": limit(dollars),
  "limits.max_tokens": limit(whole(0)),
  "limits.retries": limit(whole(0), RUN_DEFAULTS.retries),
  "limits.agent_timeout": limit(
    wholeOrNone(HIGHEST_LIMITS.max_duration),
    RUN_DEFAULTS.agent_timeout,
  ),
  "limits.max_duration": limit(whole(1, HIGHEST_LIMITS.max_duration)),
  "limits.script_stall": limit(whole(1, HIGHEST_LIMITS.script_stall), LIMIT_DEFAULTS.script_stall),
  "limits.script_memory": limit(
    whole(1, HIGHEST_LIMITS.script_memory),
    LIMIT_DEFAULTS.script_memory,
  ),
  "limits.message_limit": limit(
    whole(1, HIGHEST_LIMITS.message_limit),
    LIMIT_DEFAULTS.message_limit,
  ),
  "limits.log_line_limit": limit(
    whole(1, HIGHEST_LIMITS.log_line_limit),
    LIMIT_DEFAULTS.log_line_limit,
  ),
  "limits.output_limit": limit(whole(1, HIGHEST_LIMITS.output_limit), LIMIT_DEFAULTS.output_limit),
  "limits.max_active_runs": {
    kind: wholeOrNone(Number.MAX_SAFE_INTEGER),
    audience: "user",
    variable: "PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS",
  },
  "gc.older_than": { kind: whole(0), audience: "user", byDefault: 7 },
  "gc.include_failed": { kind: flag(), audience: "user", byDefault: false },
};

/** Settings whose last name the user chooses. */
const FAMILIES: Readonly<Record<string, (name: string) => SettingSpec>> = {
  providers: (name) => trusted(shellCommand, providerVariable(name)),
  models: () => trusted(text),
};

/** Names of the settings, and of what holds some: `limits`, `providers`. */
export const TOP_NAMES: readonly string[] = [
  ...new Set([...Object.keys(SETTINGS).map(firstName), ...Object.keys(FAMILIES)]),
];

/** Whether a name holds settings, and is none itself. */
export function holdsSettings(name: string): boolean {
  return Object.hasOwn(FAMILIES, name) || namesBelow(name).length > 0;
}

/** The settings that a name holds; none where the user chooses their names. */
export function namesBelow(name: string): readonly string[] {
  return Object.keys(SETTINGS).flatMap((key) => {
    return key.startsWith(`${name}.`) ? [key.slice(name.length + 1)] : [];
  });
}

export function hasOwnNames(name: string): boolean {
  return Object.hasOwn(FAMILIES, name);
}

/** @returns `undefined` for what is no setting. */
export function settingSpec(key: string): SettingSpec | undefined {
  if (Object.hasOwn(SETTINGS, key)) return SETTINGS[key];
  const family = firstName(key);
  return Object.hasOwn(FAMILIES, family) && key !== family
    ? FAMILIES[family]?.(key.slice(family.length + 1))
    : undefined;
}

/** Keys of the settings whose names are given, in the order in which they are shown. */
export const FIXED_KEYS: readonly string[] = Object.keys(SETTINGS);

function firstName(key: string): string {
  return key.split(".", 1)[0] ?? key;
}
