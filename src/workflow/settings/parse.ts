/** From the text of a settings file to what it says, and what is wrong with it. Pure. */
import type { Json } from "../../lib/json.ts";
import { JsonFault, type Located, parseLocated, plainJson } from "../../lib/located-json.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { providerVariable } from "../../providers/resolve.ts";
import { hasOwnNames, holdsSettings, namesBelow, settingSpec, TOP_NAMES } from "./keys.ts";

export type SettingsScope = "user" | "repository";

/** One thing that a file says. */
export interface SaidSetting {
  /** Such as `limits.max_agents`. */
  readonly key: string;
  readonly value: Json;
  readonly line: number;
}

export interface SettingsFault {
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

export interface ParsedSettings {
  readonly said: readonly SaidSetting[];
  /** In the order of their lines; a file with any of them counts for nothing. */
  readonly faults: readonly SettingsFault[];
}

export function parseSettings(text: string, scope: SettingsScope): ParsedSettings {
  let root: Located;
  try {
    root = parseLocated(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { said: [], faults: [{ line: error.line, message: `no JSON: ${error.message}` }] };
  }
  const said: SaidSetting[] = [];
  const faults: SettingsFault[] = [];
  for (const [key, member] of keysOf(root, faults)) {
    const outcome = readSetting(key, member, scope);
    if ("fault" in outcome) faults.push({ line: member.line, ...outcome.fault });
    else said.push({ key, value: outcome.value, line: member.line });
  }
  faults.push(...sameProviders(said));
  return { said, faults: faults.toSorted((a, b) => a.line - b.line) };
}

/** Every member by its whole key; what should hold settings and is no object is a fault. */
function keysOf(root: Located, faults: SettingsFault[]): readonly (readonly [string, Located])[] {
  if (!(root.value instanceof Map)) {
    faults.push({ line: root.line, message: "must hold one object of settings" });
    return [];
  }
  return [...root.value].flatMap(([name, member]) => {
    if (!holdsSettings(name)) return [[name, member] as const];
    if (member.value instanceof Map) {
      return [...member.value].map(([below, inner]) => [`${name}.${below}`, inner] as const);
    }
    faults.push({ line: member.line, message: `${name} must be an object` });
    return [];
  });
}

type Outcome = { readonly value: Json } | { readonly fault: Omit<SettingsFault, "line"> };

function readSetting(key: string, member: Located, scope: SettingsScope): Outcome {
  const spec = settingSpec(key);
  if (spec === undefined) return { fault: unknownSetting(key) };
  const name = visibleName(key);
  if (key === "providers.codex") {
    return {
      fault: { message: `${name}: codex is built in`, hint: "name its program with codex" },
    };
  }
  if (spec.audience === "user" && scope === "repository") {
    return {
      fault: { message: `${name} is not for a repository to say`, hint: "say it in your own file" },
    };
  }
  const value = spec.kind.read(plainJson(member));
  return value === undefined
    ? { fault: { message: `${name} must be ${spec.kind.expects}` } }
    : { value };
}

function unknownSetting(key: string): Omit<SettingsFault, "line"> {
  const [first = "", ...rest] = key.split(".");
  const below = holdsSettings(first) && !hasOwnNames(first);
  const near = below
    ? nearMatch(rest.join("."), namesBelow(first))
    : (nearMatch(key, TOP_NAMES) ?? holderOf(key));
  const message = `no setting is called ${visibleName(key)}`;
  if (near === undefined) return { message };
  return { message, hint: `did you mean ${below ? `${first}.${near}` : near}?` };
}

/** The whole key of a setting whose name stands outside of what holds it, such as `max_agents`. */
function holderOf(name: string): string | undefined {
  const holders = TOP_NAMES.filter((top) => namesBelow(top).length > 0);
  for (const top of holders) {
    const near = nearMatch(name, namesBelow(top));
    if (near !== undefined) return `${top}.${near}`;
  }
  return undefined;
}

/** Two names for one variable, of which only one could be in force. */
function sameProviders(said: readonly SaidSetting[]): readonly SettingsFault[] {
  const seen = new Map<string, string>();
  return said.flatMap(({ key, line }) => {
    if (!key.startsWith("providers.")) return [];
    const variable = providerVariable(key.slice("providers.".length));
    const before = seen.get(variable);
    seen.set(variable, key);
    return before === undefined
      ? []
      : [
          {
            line,
            message: `${visibleName(key)} means the same provider as ${visibleName(before)}`,
          },
        ];
  });
}
