import type { TaskStatus } from "../../../repo/reports/task-status.ts";
import { paragraph, shown } from "../text.ts";

export function taskStartedText(status: TaskStatus): string {
  return [...paragraph(`Active task set: ${status.goal}`), ...scopeLines(status)].join("\n");
}

export function taskText(status: TaskStatus): string {
  if (status.goal !== "")
    return [...paragraph(`Active task: ${status.goal}`), ...scopeLines(status)].join("\n");
  const { expired } = status;
  if (expired === undefined) return "No active task.";
  const last = `The last one expired at ${expired.expired_at}: ${expired.goal}`;
  return paragraph(`No active task. ${last}`).join("\n");
}

function scopeLines({ scope_paths, expires_at }: TaskStatus): readonly string[] {
  return [
    "Scope:",
    ...scope_paths.map((path) => `- ${shown(path)}`),
    ...(expires_at === undefined ? [] : [`In force until: ${expires_at}, or longer when used`]),
  ];
}
