import type { RiskReport } from "../../../repo/analysis/risk.ts";
import { sentences, shown } from "../text.ts";

export function riskText(report: RiskReport): string {
  return [
    shown(report.path),
    `Risk: ${report.level} (${report.score})`,
    `Churn: ${report.churn_score}`,
    `Recent touches: ${report.recent_touch_count}`,
    `Authors: ${report.author_count}`,
    `Neighbors: ${report.neighbor_count}`,
    ...(report.last_touched_at === "" ? [] : [`Last touched: ${report.last_touched_at}`]),
    ...sentences("Why it matters", report.reasons),
  ].join("\n");
}
