/** Writes sessions as one document, into a file or as text. */
import { PalliumError, usageError } from "../../lib/errors.ts";
import { exists, removeIfThere, writeFileDurable, writeNewFile } from "../../platform/files.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import { sessionKey } from "../reports/show.ts";
import { type ExportedSession, type ExportFormat, exportedSessions } from "./exported.ts";
import { htmlExport } from "./html.ts";
import { jsonExport } from "./json.ts";
import { markdownExport } from "./markdown.ts";

const FORMATS = { markdown: markdownExport, json: jsonExport, html: htmlExport } as const;

export interface ExportRequest extends SessionFilter {
  /** Absent or empty with `all`. */
  readonly ids?: readonly string[];
  /** All that the filter lets through, the latest first. */
  readonly all?: boolean;
  readonly format?: keyof typeof FORMATS;
  /** Absolute path of the file to write; the document is in the answer without. */
  readonly out?: string;
  /** Whether the file may take the place of another. */
  readonly force?: boolean;
}

export interface ExportReport {
  readonly format: string;
  readonly sessions: number;
  readonly messages: number;
  /** Of UTF-8. */
  readonly bytes: number;
  /** Empty where no file was written. */
  readonly path: string;
  /** The document; empty where a file was written. */
  readonly text: string;
}

/**
 * @throws PalliumError `session_not_found`, `session_ambiguous`, `file_exists`; `usage` where neither
 *   sessions nor all of them are asked for, or both.
 */
export async function exportSessions(
  reader: Reader,
  { ids = [], all = false, format = "markdown", out, force = false, ...filter }: ExportRequest,
  now: Date,
): Promise<ExportReport> {
  if (all === ids.length > 0) throw usageError("name sessions to export, or say --all");
  const keys = all ? filtered(reader, filter) : ids.map((id) => sessionKey(reader, id));
  const counts = { sessions: 0, messages: 0, bytes: 0 };
  const pieces = counted(exportedSessions(reader, new Set(keys), now), FORMATS[format], counts);
  if (out === undefined) {
    const text = [...pieces].join("");
    return { format, ...counts, path: "", text };
  }
  await write(out, encoded(pieces), force);
  return { format, ...counts, path: out, text: "" };
}

function filtered(reader: Reader, filter: SessionFilter): readonly number[] {
  const { sql, params } = sessionCondition(filter);
  const rows = reader.all<{ key: number }>(
    `SELECT key FROM sessions WHERE ${sql} ORDER BY updated_at DESC, id`,
    ...params,
  );
  return rows.map(({ key }) => key);
}

function* counted(
  sessions: Iterable<ExportedSession>,
  format: ExportFormat,
  counts: { sessions: number; messages: number; bytes: number },
): Generator<string> {
  function* messagesOf({ messages }: ExportedSession) {
    for (const message of messages) {
      counts.messages += 1;
      yield message;
    }
  }
  function* each() {
    for (const one of sessions) {
      counts.sessions += 1;
      yield { ...one, messages: messagesOf(one) };
    }
  }
  for (const piece of format(each())) {
    counts.bytes += Buffer.byteLength(piece);
    yield piece;
  }
}

async function* encoded(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function write(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  force: boolean,
): Promise<void> {
  if (force) return writeFileDurable(path, bytes);
  if (await exists(path)) {
    throw new PalliumError("file_exists", `there is something already: ${path}`, {
      hints: ["name another file with --out, or let it be replaced with --force"],
      exitCode: 2,
    });
  }
  try {
    await writeNewFile(path, bytes);
  } catch (error) {
    await removeIfThere(path);
    throw error;
  }
}
