import { counted } from "../../../lib/counted.ts";
import { printable } from "../../../lib/printable.ts";
import type { SessionDoctorReport } from "../../../sessions/doctor/doctor.ts";

export function sessionDoctorText(report: SessionDoctorReport): string {
  const { transcripts, findings } = report;
  const size = `${report.bytes} bytes, ${report.log_bytes} in its log`;
  return [
    `Store: ${printable(report.path)} (${report.exists ? size : "not there yet"})`,
    `Schema: ${report.schema_version} of ${report.newest_schema_version}`,
    `Sessions: ${report.sessions}, messages: ${report.messages}, forgotten: ${report.forgotten}`,
    ...report.homes.map(({ provider, path, exists, transcripts: count }) => {
      const state = exists ? counted(count, "transcript") : "not there";
      return `Home of ${provider}: ${printable(path)} (${state})`;
    }),
    `Transcripts: ${transcripts.known} read, ${transcripts.gone} gone, ${transcripts.behind} to read`,
    ...report.embeddings.map(
      ({ provider, model, backlog }) => `Embeddings of ${provider}/${model}: ${backlog} missing`,
    ),
    ...report.go_databases.map(({ path, copied, sessions }) => {
      const state = copied ? `copied, ${counted(sessions, "session")}` : "not copied";
      return `Go program: ${printable(path)} (${state})`;
    }),
    ...(findings.length === 0 ? ["Nothing to do."] : []),
    ...findings.flatMap(({ is_problem: isProblem, what, next }) => [
      `${isProblem ? "PROBLEM" : "note"}: ${printable(what)}`,
      `  next: ${printable(next)}`,
    ]),
  ].join("\n");
}
