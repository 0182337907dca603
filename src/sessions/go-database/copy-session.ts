/** Copies one session of the Go program, batch by batch, its secrets taken out once more. */

import type { GoRow } from "../../lib/go-row.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import { isCorrupt } from "../../platform/sqlite/failure.ts";
import { type Batch, emptyBatch } from "../ingest/batch.ts";
import type { Redactor } from "../ingest/redact-batch.ts";
import { isForgotten } from "../keeping/left-out.ts";
import { forgetContent } from "../store/forget-session.ts";
import { sourceAt } from "../store/sources.ts";
import { writeBatch, writeSession } from "../store/write-batch.ts";
import { writeSessionWords } from "../store/write-session-words.ts";
import { noteCopied, sessionHere } from "./copied.ts";
import { goMessages } from "./go-messages.ts";
import { type GoSession, goSession } from "./go-session.ts";
import type { GoSessions } from "./read-database.ts";

/** What is held before it is written; in characters. */
const BATCH_SIZE = 4_000_000;
/** Before the first line of any transcript. */
const NOTHING_READ = -1;

export interface CopyingSession {
  readonly database: Database;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Name of this computer, for rows that name none. */
  readonly machine: string;
  readonly go: GoSessions;
  /** Path of the Go program's database. */
  readonly path: string;
  readonly id: string;
  readonly changedAt: string;
}

/**
 * `kept`: what is here is as good or better. `overtaken`: another process copies it too.
 * `torn`: copied as far as it could be read. `unusable`: the row cannot be a session.
 */
export type CopyOutcome = "copied" | "kept" | "overtaken" | "torn" | "unusable";

/**
 * A session that was read from its transcript stays as it is, and comes under no other id either; of two copies the one that was written
 * later counts. Killed on the way, the session is copied anew by the next call.
 */
export async function copyGoSession(copying: CopyingSession): Promise<CopyOutcome> {
  const { go, id } = copying;
  const found = goSession(go.row(id) ?? {});
  if (found === undefined) return "unusable";
  if (isForgotten(copying.database, found.header)) return "kept";
  const writing = createWriting(copying, found);
  const messageOf = goMessages();
  const pages = go.messages(id);
  let batch = emptyBatch();
  let isTorn = false;
  for (;;) {
    const page = nextPage(pages);
    if (page === "torn") isTorn = true;
    if (page === undefined || page === "torn") break;
    for (const row of page) {
      const message = messageOf(row);
      if (message === undefined) continue;
      batch.messages.push(message);
      batch.size += message.text.length;
    }
    if (batch.size < BATCH_SIZE) continue;
    const written = await writing(batch, false);
    if (written !== "copied") return written;
    batch = emptyBatch();
  }
  const outcome = await writing(batch, true);
  return outcome === "copied" && isTorn ? "torn" : outcome;
}

function nextPage(pages: Generator<readonly GoRow[]>): readonly GoRow[] | "torn" | undefined {
  try {
    const { done, value } = pages.next();
    return done === true ? undefined : value;
  } catch (error) {
    if (isCorrupt(error)) return "torn";
    throw error;
  }
}

type Write = (batch: Batch, isLast: boolean) => Promise<CopyOutcome>;

function createWriting(copying: CopyingSession, session: GoSession): Write {
  const { database, clock, redactor, path, id, changedAt } = copying;
  const machine = session.machine || copying.machine;
  const { provider, updatedAt } = session.header;
  const commands = new Map<string, number>();
  let readTo: number | undefined;

  return async (batch, isLast) => {
    const from = readTo;
    const to = batch.messages.at(-1)?.lineNo ?? from ?? NOTHING_READ;
    const header = { ...session.header };
    if (from === undefined) {
      header.firstUserMessage ||= batch.messages.find(({ role }) => role === "user")?.text ?? "";
    }
    noteCommands(commands, batch);
    if (isLast) addLists(batch, session, commands);
    const tools = isLast ? await Promise.all(session.tools.map(redactor.text)) : [];
    const [clean, cleanHeader] = [await redactor.batch(batch), await redactor.header(header)];
    const outcome = await database.write((tx): CopyOutcome => {
      const here = sessionHere(tx, machine, provider, session.header.id);
      let key = here?.key;
      if (from === undefined) {
        if (isForgotten(tx, session.header)) return "kept";
        const isRead = [machine, copying.machine].some((name) => sourceAt(tx, name, session.path));
        if (isRead || (here !== undefined && !mayReplace(here, updatedAt))) {
          noteCopied(tx, path, id, changedAt);
          return "kept";
        }
        key = writeSession(tx, machine, cleanHeader, clock.iso());
        forgetContent(tx, key);
      } else if (key === undefined || here?.read_to !== from) return "overtaken";
      tx.run(
        "INSERT OR REPLACE INTO copied_sessions (session, rollout_path, read_to) VALUES (?, ?, ?)",
        key,
        session.path,
        to,
      );
      writeBatch(tx, key, clean);
      if (!isLast) return "copied";
      writeTools(tx, key, tools);
      writeSessionWords(tx, key);
      noteCopied(tx, path, id, changedAt);
      return "copied";
    });
    readTo = to;
    return outcome;
  };
}

/** Whether a session here may give way to a copy. */
function mayReplace(
  { read_to: readTo, updated_at: here }: { read_to: number | null; updated_at: string },
  there: string,
): boolean {
  return readTo !== null && here <= there;
}

/** Where the commands of a session were given, by their text. */
function noteCommands(commands: Map<string, number>, { messages }: Batch): void {
  for (const { role, kind, text, lineNo } of messages) {
    if (role === "tool" && kind !== "tool_result" && !commands.has(text))
      commands.set(text, lineNo);
  }
}

/** What the row lists: at its line where that is known, else before all lines, in order. */
function addLists(batch: Batch, session: GoSession, places: ReadonlyMap<string, number>): void {
  const timestamp = "";
  for (const path of session.files) {
    batch.touches.push({ lineNo: 0, timestamp, path, kind: "read" });
  }
  for (const [index, command] of session.commands.entries()) {
    const lineNo = places.get(command) ?? index - session.commands.length;
    batch.commands.push({ lineNo, timestamp, callId: "", command });
  }
  for (const [index, excerpt] of session.errors.entries()) {
    const lineNo = index - session.errors.length;
    batch.results.push({ lineNo, timestamp, callId: "", failed: true, excerpt });
  }
}

function writeTools(tx: Transaction, key: number, tools: readonly string[]): void {
  for (const name of tools) {
    tx.run("INSERT OR IGNORE INTO copied_tools (session, name) VALUES (?, ?)", key, name);
  }
}
