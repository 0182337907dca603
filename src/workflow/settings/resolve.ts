/** What is in force in a folder: the environment over the repository's file over the user's own. */
import { PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import type { WorkflowPowers } from "../powers.ts";
import {
  readRepositorySettings,
  readUserSettings,
  repositorySettingsPath,
  userSettingsPath,
} from "./file.ts";
import { FIXED_KEYS, settingSpec } from "./keys.ts";
import {
  parseSettings,
  type SaidSetting,
  type SettingsFault,
  type SettingsScope,
} from "./parse.ts";
import { readTrust } from "./trust.ts";

export type SettingSource = "default" | SettingsScope | "environment";

/** One value in force. */
export interface Setting {
  readonly key: string;
  readonly value: Json;
  readonly source: SettingSource;
  /** File and line, or the name of the variable. */
  readonly where?: string;
}

/** Something a file says that has no effect. */
export interface IgnoredSetting {
  readonly key: string;
  readonly where: string;
  readonly reason: "not_trusted" | "trusted_before_it_changed";
}

export type FileState = "missing" | "in_use" | "not_trusted" | "changed" | "unusable";

export interface SettingsFile {
  readonly scope: SettingsScope;
  readonly path: string;
  readonly state: FileState;
  /** Why it is unusable. */
  readonly reason?: string;
}

export interface SettingsReport {
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly SettingsFile[];
  readonly settings: readonly Setting[];
  readonly ignored: readonly IgnoredSetting[];
}

const PROVIDER_VARIABLE = /^PALLIUM_WORKFLOW_PROVIDER_(.+)_COMMAND$/;

type Powers = Pick<WorkflowPowers, "environment" | "home">;
type Values = Map<string, Setting>;

/**
 * @param folder absolute; the repository around it has a say.
 * @throws PalliumError `settings_invalid` for the user's own file, or a trusted one, with faults.
 */
export async function resolveSettings(powers: Powers, folder: string): Promise<SettingsReport> {
  const values: Values = new Map();
  for (const key of FIXED_KEYS) {
    const value = settingSpec(key)?.byDefault;
    if (value !== undefined) values.set(key, { key, value, source: "default" });
  }
  const user = await addUserFile(values, powers.home);
  const { file, ignored } = await addRepositoryFile(values, powers.home, folder, user.path);
  addEnvironment(values, powers.environment.variables);
  return {
    folder,
    files: file === undefined ? [user] : [user, file],
    settings: inOrder(values),
    ignored,
  };
}

async function addUserFile(values: Values, home: string): Promise<SettingsFile> {
  const path = userSettingsPath(home);
  const content = await readUserSettings(path);
  if (content.kind === "missing") return { scope: "user", path, state: "missing" };
  if (content.kind === "unusable") throw invalid(path, [{ line: 0, message: content.reason }]);
  const { said, faults } = parseSettings(content.text, "user");
  if (faults.length > 0) throw invalid(path, faults);
  for (const one of said) values.set(one.key, settingOf(one, "user", path));
  return { scope: "user", path, state: "in_use" };
}

interface RepositoryPart {
  /** Absent where the user's own file is the one. */
  readonly file?: SettingsFile;
  readonly ignored: readonly IgnoredSetting[];
}

async function addRepositoryFile(
  values: Values,
  home: string,
  folder: string,
  userPath: string,
): Promise<RepositoryPart> {
  const path = await repositorySettingsPath(folder);
  if (path === undefined || path === userPath) return { ignored: [] };
  const about = { scope: "repository", path } as const;
  const content = await readRepositorySettings(path);
  if (content.kind === "missing") return { file: { ...about, state: "missing" }, ignored: [] };
  if (content.kind === "unusable") {
    return { file: { ...about, state: "unusable", reason: content.reason }, ignored: [] };
  }
  const trust = await readTrust(home, path);
  const isTrusted = trust?.sha256 === content.sha256;
  const { said, faults } = parseSettings(content.text, "repository");
  if (faults.length > 0) {
    if (isTrusted) throw invalid(path, faults);
    const reason = faultText(path, faults[0]);
    return { file: { ...about, state: "unusable", reason }, ignored: [] };
  }
  const ignored = said.filter((one) => !isTrusted && !narrows(values, one));
  for (const one of said) {
    if (!ignored.includes(one)) values.set(one.key, settingOf(one, "repository", path));
  }
  const state = isTrusted ? "in_use" : trust === undefined ? "not_trusted" : "changed";
  const reason = state === "changed" ? "trusted_before_it_changed" : "not_trusted";
  return {
    file: { ...about, state },
    ignored: ignored.map(({ key, line }) => ({ key, where: `${path}:${line}`, reason })),
  };
}

/** Whether it only leaves less room than what is in force without it. */
function narrows(values: Values, { key, value }: SaidSetting): boolean {
  const spec = settingSpec(key);
  if (spec?.bounds !== true || spec.kind.narrowness === undefined) return false;
  const before = values.get(key)?.value;
  return before === undefined || spec.kind.narrowness(value) > spec.kind.narrowness(before);
}

/** A variable that says nothing leaves the word to the files. */
function addEnvironment(values: Values, variables: Readonly<Record<string, string>>): void {
  for (const key of new Set([...FIXED_KEYS, ...values.keys()])) {
    const variable = settingSpec(key)?.variable;
    const value = variable === undefined ? undefined : variables[variable]?.trim();
    if (variable === undefined || value === undefined || value === "") continue;
    if (key === "provider" && value === "default") continue;
    values.set(key, { key, value, source: "environment", where: variable });
  }
  addConfiguredProviders(values, variables);
}

/** Providers that the environment alone configures; no file gives them a name of their own. */
function addConfiguredProviders(values: Values, variables: Readonly<Record<string, string>>): void {
  const known = new Set([...values.keys()].map((key) => settingSpec(key)?.variable));
  for (const [variable, value] of Object.entries(variables)) {
    const name = PROVIDER_VARIABLE.exec(variable)?.[1]?.toLowerCase();
    if (name === undefined || known.has(variable) || value.trim() === "") continue;
    const key = `providers.${name}`;
    values.set(key, { key, value, source: "environment", where: variable });
  }
}

function settingOf({ key, value, line }: SaidSetting, source: SettingsScope, path: string) {
  return { key, value, source, where: `${path}:${line}` };
}

/** Those with fixed names in their own order, then the others by name. */
function inOrder(values: Values): readonly Setting[] {
  const others = [...values.keys()].filter((key) => !FIXED_KEYS.includes(key)).sort();
  return [...FIXED_KEYS, ...others].flatMap((key) => values.get(key) ?? []);
}

/** The error that names the first fault of a file, and the others in its hints. */
export function invalid(path: string, faults: readonly SettingsFault[]): PalliumError {
  const [first, ...others] = faults;
  return new PalliumError("settings_invalid", faultText(path, first), {
    exitCode: 2,
    hints: [
      ...(first?.hint === undefined ? [] : [first.hint]),
      ...others.map((fault) => {
        const hint = fault.hint === undefined ? "" : `; ${fault.hint}`;
        return `also ${faultText(path, fault)}${hint}`;
      }),
    ],
  });
}

function faultText(path: string, fault: SettingsFault | undefined): string {
  if (fault === undefined) return path;
  return `${path}${fault.line === 0 ? "" : `:${fault.line}`}: ${fault.message}`;
}
