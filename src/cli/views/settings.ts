/** Settings and trust, as lines to read. */
import type { Json } from "../../lib/json.ts";
import { visibleName } from "../../lib/visible-name.ts";
import type { ListedTrust, TrustedFile } from "../../workflow/settings/operations.ts";
import type { Setting, SettingsFile, SettingsReport } from "../../workflow/settings/resolve.ts";
import { tableLines } from "./table.ts";

const STATES: Readonly<Record<SettingsFile["state"], string>> = {
  missing: "there is none",
  in_use: "in use",
  not_trusted: "not trusted",
  changed: "changed since it was trusted",
  unusable: "ignored",
};

/** @param columns of the terminal; absent where nothing is to be cut. */
export function settingsText(report: SettingsReport, columns: number | undefined): string {
  const { folder, files, settings, ignored } = report;
  const needsTrust = files.some(({ state }) => state === "not_trusted" || state === "changed");
  return [
    `Settings in ${visibleName(folder)}`,
    ...files.map(fileLine),
    "",
    ...tableLines(settings, COLUMNS, { columns, colours: false }),
    ...(ignored.length === 0 ? [] : ["", "Without effect:"]),
    ...ignored.map(({ key, where }) => `- ${visibleName(key)} (${visibleName(where)})`),
    ...(needsTrust ? ["", "Look at the file, then: pallium trust"] : []),
  ].join("\n");
}

const COLUMNS = [
  { title: "SETTING", cell: ({ key }: Setting) => visibleName(key) },
  { title: "VALUE", cell: ({ value }: Setting) => valueText(value), cut: "end" },
  {
    title: "FROM",
    cell: ({ source, where }: Setting) => (where === undefined ? source : visibleName(where)),
    cut: "start",
  },
] as const;

function fileLine({ scope, path, state, reason }: SettingsFile): string {
  const why = reason === undefined ? "" : `: ${visibleName(reason)}`;
  return `${scope}: ${visibleName(path)} (${STATES[state]}${why})`;
}

function valueText(value: Json): string {
  return visibleName(typeof value === "string" ? value : JSON.stringify(value));
}

export function trustedText({ path, settings }: TrustedFile): string {
  return [
    `Trusted: ${visibleName(path)}`,
    ...settings.map(({ key, value }) => `- ${visibleName(key)} = ${valueText(value)}`),
  ].join("\n");
}

export function trustListText(list: readonly ListedTrust[]): string {
  if (list.length === 0) return "No settings of repositories are trusted.";
  return list
    .map(({ path, state, trusted_at: at }) => `- ${visibleName(path)} (${state}, since ${at})`)
    .join("\n");
}
