/** Sessions as a store of session memory has them: written as transcripts, and read in by the program's own code. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/platform/clock.ts";
import { type Database, openDatabase } from "../../../src/platform/sqlite/database.ts";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { findTranscripts } from "../../../src/sessions/discovery/find-transcripts.ts";
import { indexSessions } from "../../../src/sessions/ingest/index-sessions.ts";
import { SESSION_MIGRATIONS } from "../../../src/sessions/store/schema.ts";
import type { ToldSession } from "./collection.ts";

/** @param directory is filled; it must be empty. */
export async function indexedStore(
  directory: string,
  sessions: readonly ToldSession[],
): Promise<Database> {
  const project = join(directory, "claude", "projects", "told");
  mkdirSync(project, { recursive: true });
  for (const session of sessions) {
    const path = join(project, `${session.id}.jsonl`);
    writeFileSync(path, transcriptOf(session));
    utimesSync(path, 0, 0);
  }
  return indexTranscripts(join(directory, "claude"), directory, sessions.length);
}

/**
 * @param claudeHome has transcripts of Claude Code in its folder `projects`.
 * @param expected how many sessions there must be; unknown without.
 */
export async function indexTranscripts(
  claudeHome: string,
  directory: string,
  expected?: number,
): Promise<Database> {
  const database = await openDatabase({
    path: join(directory, "sessions.sqlite"),
    migrations: SESSION_MIGRATIONS,
    synchronous: "NORMAL",
  });
  const { files } = findTranscripts({
    codexHome: join(directory, "codex"),
    claudeHome,
    providers: ["claude"],
    include: [],
  });
  const powers = {
    database,
    clock: systemClock(),
    createScanner: createSecretScanner,
    signal: new AbortController().signal,
  };
  const { indexed, problems } = await indexSessions(powers, files, {
    machine: "eval",
    force: false,
    quietMs: 0,
  });
  if (indexed !== (expected ?? indexed)) {
    throw new Error(`${indexed} of ${expected} sessions indexed: ${problems.join("; ")}`);
  }
  return database;
}

function transcriptOf({ id, messages }: ToldSession): string {
  return messages
    .map(({ role, text, at }, place) => {
      const record = {
        type: role,
        sessionId: id,
        uuid: `${id}-${place}`,
        timestamp: at.toISOString(),
        message: { role, content: [{ type: "text", text }] },
      };
      return `${JSON.stringify(record)}\n`;
    })
    .join("");
}
