/** What Codex tells of sessions that its agents begin for one another. */
import { recordOf, textOf } from "./fields.ts";

/** In front of what one agent says to another; the text itself may be encrypted, and then missing. */
const ENVELOPE = /^Message Type: [A-Z_]+\nTask name: .*\nSender: .*\nPayload:(?:\n|$)/;

/** What was said, without the envelope it came in; empty where it was encrypted. */
export function withoutEnvelope(text: string): string {
  return text.replace(ENVELOPE, "").trim();
}

/** How a helper is called, by its task and its name; empty for a session of a user's. */
export function helperName(meta: Record<string, unknown>): string {
  const spawned = recordOf(recordOf(recordOf(meta.source).subagent).thread_spawn);
  const task = textOf(meta.agent_path, spawned.agent_path).split("/").at(-1) ?? "";
  const nickname = textOf(meta.agent_nickname, spawned.agent_nickname);
  if (task === "") return nickname === "" ? "" : `helper ${nickname}`;
  return nickname === "" ? `${task} (helper)` : `${task} (helper ${nickname})`;
}
