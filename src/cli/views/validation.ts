import type { ScriptValidation } from "../../workflow/script/validate.ts";

export function validationText(path: string, report: ScriptValidation): string {
  return [
    `Workflow script valid: ${path}`,
    ...(report.warnings ?? []).map((warning) => `Warning: ${warning}`),
  ].join("\n");
}
