/** Claude Code says of each of its processes which session it works in: `sessions/<pid>.json` of its home. */
import { join } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { readHead } from "../../platform/bounded-read.ts";
import { countOf, recordOf, textOf } from "../transcripts/fields.ts";
import type { AgentProcess } from "./types.ts";

export interface RegisteredSession {
  readonly id: string;
  readonly cwd: string;
}

const LIMIT = 64 * 1024;
/** Moments come from two clocks: of the process, and of the table of processes. */
const SLACK_MS = 2000;

/** `undefined` where it says nothing, or what an earlier process with this pid has left. */
export async function registeredSession({
  home,
  pid,
  startedMs,
}: AgentProcess): Promise<RegisteredSession | undefined> {
  const head = await readHead(join(home, "sessions", `${pid}.json`), LIMIT);
  const entry = recordOf(parseJson(head?.text ?? ""));
  const id = textOf(entry.sessionId);
  if (!SAFE_ID.test(id) || countOf(entry.startedAt) < startedMs - SLACK_MS) return undefined;
  return { id, cwd: textOf(entry.cwd) };
}

/** It becomes the name of a file. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
