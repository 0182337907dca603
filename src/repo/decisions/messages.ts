import { nulFields } from "../../lib/nul-fields.ts";
import type { Git } from "../../platform/git/runner.ts";

/** A commit and the whole of what it says. */
export interface Message {
  /** Hexadecimal, in full. */
  readonly hash: string;
  readonly subject: string;
  /** What follows the subject; may be empty. */
  readonly body: string;
  /** Seconds since 1970. */
  readonly committedAt: number;
  /** Whether it was put on record as a decision. */
  readonly isRecorded?: boolean;
}

/** The messages of commits, in the order asked; what is no longer there is left out. */
export async function readMessages(
  git: Git,
  root: string,
  hashes: readonly string[],
): Promise<readonly Message[]> {
  if (hashes.length === 0) return [];
  const output = git.stream(
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "--ignore-missing",
      "--encoding=UTF-8",
      "-z",
      "--format=%H%x00%ct%x00%s%x00%b",
    ],
    { cwd: root, input: `${hashes.join("\n")}\n` },
  );
  const fields: string[] = [];
  for await (const field of nulFields(output)) fields.push(field.toString("utf8"));
  const messages: Message[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [hash = "", time = "", subject = "", body = ""] = fields.slice(at, at + 4);
    messages.push({ hash, subject, body: body.trim(), committedAt: Number(time) });
  }
  return messages;
}
