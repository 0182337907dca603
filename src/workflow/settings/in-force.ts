/** Settings as those who act on them read them: runs, generation, collection, notification. Data only. */
import { optional } from "../../lib/optional.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { RunLimits } from "../run/limits.ts";
import { settingSpec } from "./keys.ts";
import { resolveSettings, type Setting, type SettingsReport } from "./resolve.ts";

/** A program and its arguments, or text for the shell. */
export type SettingCommand = string | readonly string[];

export interface Settings {
  /** What files say of a run that is not told otherwise. */
  readonly limits: RunLimits;
  /** What files say in the place of variables that the environment lacks. Not for workers. */
  readonly variables: Readonly<Record<string, string>>;
  /** Name or path of the Claude Code program. */
  readonly claude: string;
  /** Models by the name of the provider, for calls that name none. */
  readonly models: Readonly<Record<string, string>>;
  /** Told when a run needs somebody or ends. */
  readonly notify?: SettingCommand;
  readonly gc: { readonly older_than: number; readonly include_failed: boolean };
}

/**
 * The settings in force in an absolute folder.
 * @param warn is told what a file says in vain.
 * @throws PalliumError `settings_invalid`
 */
export async function settingsFor(
  powers: Pick<WorkflowPowers, "environment" | "home">,
  folder: string,
  warn: (line: string) => void,
): Promise<Settings> {
  const report = await resolveSettings(powers, folder);
  for (const line of saidInVain(report)) warn(line);
  const value = (key: string) => report.settings.find((one) => one.key === key)?.value;
  return {
    limits: limitsOf(report),
    variables: variablesOf(report),
    claude: String(value("claude")),
    models: modelsOf(report),
    ...optional({ notify: value("notify") as SettingCommand | undefined }),
    gc: {
      older_than: Number(value("gc.older_than")),
      include_failed: value("gc.include_failed") === true,
    },
  };
}

/** Read as they are, an array too, where the others of a variable are handed on as its text. */
const NO_TEXT = ["notify"];

/** Limits that a flag of the same name sets, whether they stand under `limits` or not. */
const RUN_LIMITS = [
  "codex",
  "allow_network",
  "strict",
  "include_dirty",
  "links",
  "resume_after_quota",
];

function limitsOf({ settings }: SettingsReport): RunLimits {
  return Object.fromEntries(
    settings.filter(isFromFile).flatMap(({ key, value }) => {
      if (RUN_LIMITS.includes(key)) return [[key, value]];
      const [group, name] = key.split(".");
      return group === "limits" && settingSpec(key)?.variable === undefined ? [[name, value]] : [];
    }),
  );
}

function variablesOf({ settings }: SettingsReport): Record<string, string> {
  return Object.fromEntries(
    settings.filter(isFromFile).flatMap(({ key, value }) => {
      const variable = settingSpec(key)?.variable;
      return variable === undefined || NO_TEXT.includes(key) ? [] : [[variable, String(value)]];
    }),
  );
}

function isFromFile({ source }: Setting): boolean {
  return source === "user" || source === "repository";
}

const MODELS = "models.";

function modelsOf({ settings }: SettingsReport): Record<string, string> {
  return Object.fromEntries(
    settings.flatMap(({ key, value }) =>
      key.startsWith(MODELS) ? [[key.slice(MODELS.length), String(value)]] : [],
    ),
  );
}

function saidInVain({ files, ignored }: SettingsReport): readonly string[] {
  return files.flatMap(({ path, state, reason }) => {
    if (state === "unusable") return [`settings of this repository are ignored: ${reason ?? path}`];
    if (state === "in_use" || state === "missing" || ignored.length === 0) return [];
    const keys = ignored.map(({ key }) => key).join(", ");
    const why = state === "changed" ? "changed since it was trusted" : "is not trusted";
    return [`${path} ${why}; ignored: ${keys}. Look at it, then: pallium trust`];
  });
}
