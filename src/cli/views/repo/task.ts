import type { TaskStatus } from "../../../repo/reports/task-status.ts";

export function taskStartedText(status: TaskStatus): string {
  return [`Active task set: ${status.goal}`, ...scopeLines(status)].join("\n");
}

export function taskText(status: TaskStatus): string {
  if (status.goal !== "") return [`Active task: ${status.goal}`, ...scopeLines(status)].join("\n");
  const { expired } = status;
  if (expired === undefined) return "No active task.";
  return `No active task. The last one expired at ${expired.expired_at}: ${expired.goal}`;
}

function scopeLines({ scope_paths, expires_at }: TaskStatus): readonly string[] {
  return [
    "Scope:",
    ...scope_paths.map((path) => `- ${path}`),
    ...(expires_at === undefined ? [] : [`In force until: ${expires_at}, or longer when used`]),
  ];
}
