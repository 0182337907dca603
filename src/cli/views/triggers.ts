/** Triggers as text. */
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import type { TriggerRecord, TriggerService, WatchReport } from "../../workflow/triggers/types.ts";

export function triggerListText(triggers: readonly TriggerRecord[]): string {
  if (triggers.length === 0) return "No workflow triggers found.";
  return triggers
    .map(
      ({ name, kind, enabled, task }) =>
        `- ${name} [${kind}] enabled=${enabled} task=${oneLine(task)}`,
    )
    .join("\n");
}

export function triggerText(trigger: TriggerRecord): string {
  const { schedule, time_zone: zone, paths } = trigger;
  const when = zone === undefined ? schedule : `${schedule} (${zone})`;
  const optionalLines: readonly (readonly [string, string | undefined])[] = [
    ["Workflow", trigger.workflow_name],
    ["Script", trigger.script_path],
    ["Args", trigger.args_json],
    ["Schedule", when],
    ["Paths", paths?.join(" ")],
    ["Next due", trigger.enabled ? trigger.next_due_at : undefined],
    ["Last run", trigger.last_run_id],
    ["Last ran", trigger.last_ran_at],
  ];
  return [
    `Workflow trigger ${trigger.name} [${trigger.kind}]`,
    `Enabled: ${trigger.enabled}`,
    `Task: ${oneLine(trigger.task)}`,
    `CWD: ${trigger.cwd}`,
    ...optionalLines.flatMap(([label, value]) =>
      value === undefined ? [] : [`${label}: ${oneLine(value)}`],
    ),
  ].join("\n");
}

export function serviceText({ as, state, path, content, to_do }: TriggerService): string {
  if (state === "printed") return printable(content.trimEnd());
  const where = path === undefined ? "a line of the crontab" : printable(path);
  const said = {
    installed: `Workflow triggers are watched by ${as}: ${where}`,
    uninstalled: `Workflow triggers are not watched by ${as} any more: ${where}`,
    absent: `Workflow triggers were not watched by ${as}`,
  };
  return [
    said[state],
    ...(to_do.length === 0 ? [] : ["To do, since it failed:"]),
    ...to_do.map((command) => `  ${printable(command)}`),
  ].join("\n");
}

export function watchText(report: WatchReport): string {
  const { kind, checked, started, skipped, errors, next_check: next, results = [] } = report;
  return [
    "Workflow trigger watch",
    `Kind: ${kind}`,
    `Checked: ${checked}, started: ${started}, skipped: ${skipped}, errors: ${errors}`,
    ...(next === undefined ? [] : [`Next check: ${next}`]),
    ...results.map(resultLine),
  ].join("\n");
}

function resultLine(result: NonNullable<WatchReport["results"]>[number]): string {
  if ("skipped" in result) return `- ${result.name} skipped`;
  if ("error" in result) return `- ${result.name} error: ${oneLine(result.error)}`;
  const { name, missed } = result;
  const { id, status } = "run" in result ? result.run : result;
  const late = missed === undefined ? "" : `, ${missed} missed before`;
  return `- ${name} started ${id} (${status}${late})`;
}
