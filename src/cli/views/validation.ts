import type { ScriptReport } from "../../workflow/script/validate.ts";

export function validationText(path: string, report: ScriptReport): string {
  return [
    `Workflow script valid: ${path}`,
    ...(report.warnings ?? []).map((warning) => `Warning: ${warning}`),
  ].join("\n");
}
