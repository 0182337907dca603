/** Nothing that agents said or did is stored before its secrets are taken out. */
import { quickHash } from "../../platform/hash.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import type { SessionHeader, TranscriptMessage } from "../transcripts/types.ts";
import type { Batch, ReadyBatch, ReadyMessage } from "./batch.ts";
import { identifierParts } from "./identifier-parts.ts";

/** Of rules that look at the name of a file, such as those about tests, none applies to transcripts. */
const NAME = "transcript.jsonl";

export interface Redactor {
  header(header: SessionHeader): Promise<SessionHeader>;
  batch(batch: Batch): Promise<ReadyBatch>;
}

export function createRedactor(scanner: SecretScanner): Redactor {
  const clean = async (text: string): Promise<string> =>
    storable(text === "" ? text : await scanner.redact(text, NAME));
  const cleanAll = async <Key extends string, T extends Readonly<Record<Key, string>>>(
    items: readonly T[],
    key: Key,
  ): Promise<T[]> => {
    const cleaned: T[] = [];
    for (const item of items) cleaned.push({ ...item, [key]: await clean(item[key]) });
    return cleaned;
  };
  const ready = async (messages: readonly TranscriptMessage[]): Promise<ReadyMessage[]> => {
    const cleaned: ReadyMessage[] = [];
    for (const message of messages) {
      if (message.text.trim() === "") continue;
      const text = await clean(message.text);
      const uid = message.uid === "" ? "" : quickHash(message.uid);
      cleaned.push({ ...message, text, uid, parts: identifierParts(text) });
    }
    return cleaned;
  };
  return {
    header: async (header) => ({
      ...header,
      title: await clean(header.title),
      firstUserMessage: await clean(header.firstUserMessage),
      lastAgentMessage: await clean(header.lastAgentMessage),
      cwd: await clean(header.cwd),
      gitBranch: await clean(header.gitBranch),
      gitOriginUrl: await clean(header.gitOriginUrl),
    }),
    batch: async ({ messages, touches, commands, results, usage, unknown, size }) => ({
      messages: await ready(messages),
      touches: await cleanAll(touches, "path"),
      commands: await cleanAll(commands, "command"),
      results: await cleanAll(results, "excerpt"),
      unknown: await cleanAll(unknown, "text"),
      usage,
      size,
    }),
  };
}

const NUL = "\0";

/** Text as SQLite can keep it: whole characters, and none that its functions take for the end. */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes(NUL) ? whole.replaceAll(NUL, "�") : whole;
}
