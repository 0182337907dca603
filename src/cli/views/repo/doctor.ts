import type { DoctorReport } from "../../../repo/reports/doctor.ts";
import { sentences, shown } from "../text.ts";

export function doctorText(report: DoctorReport): string {
  const { session_stats: sessions } = report;
  const next = report.recommended_next_command;
  return [
    "Pallium doctor",
    `Repo: ${shown(report.repo_root)}`,
    `Repo DB: ${shown(report.repo_db_path)}`,
    `Index status: ${report.index_status}`,
    `Working tree files: ${report.working_tree_file_count}`,
    `Session DB: ${shown(report.session_db_path)}`,
    `Sessions: ${sessions.sessions} chunks: ${sessions.chunks} embeddings: ${sessions.embeddings} backlog: ${report.embedding_backlog}`,
    `OpenAI key available: ${report.openai_key_available}`,
    ...(next === undefined ? [] : [`Recommended next command: ${next}`]),
    ...sentences("Notes", report.notes),
  ].join("\n");
}
