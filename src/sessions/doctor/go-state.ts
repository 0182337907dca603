/** What became of the Go program's databases. */
import type { Database } from "../../platform/sqlite/database.ts";
import { findCopied } from "../go-database/copied.ts";
import { stampOf } from "../go-database/copy-go-sessions.ts";
import { type Finding, note, problem } from "./finding.ts";

export interface GoState {
  readonly path: string;
  readonly copied: boolean;
  /** How many it had when it was copied. */
  readonly sessions: number;
}

export async function goStates(
  database: Database | undefined,
  paths: readonly string[],
): Promise<{ readonly states: readonly GoState[]; readonly findings: readonly Finding[] }> {
  const states: GoState[] = [];
  const findings: Finding[] = [];
  for (const path of paths) {
    const known = database === undefined ? undefined : findCopied(database, path);
    const copied = known !== undefined && known.stamp === (await stampOf(path));
    states.push({ path, copied: copied && known.error === null, sessions: known?.sessions ?? 0 });
    if (copied && known.error !== null) {
      const what = `not all of the Go program's sessions could be copied from ${path}: ${known.error}`;
      findings.push(
        problem("go_database_damaged", what, "see what it still has with sqlite3 .recover"),
      );
    } else if (!copied) {
      const what = `what the Go program recorded in ${path} is not copied yet`;
      findings.push(note("go_database_not_copied", what, "pallium sessions list"));
    }
  }
  return { states, findings };
}
