/** Nothing that agents said or did is stored before its secrets are taken out. */
import { isRecord } from "../../lib/json.ts";
import { wholeCharacters } from "../../lib/whole-characters.ts";
import type { SecretScanner } from "../../secrets/scanner.ts";
import { addCount } from "../transcripts/fields.ts";
import type { SessionHeader, TranscriptMessage } from "../transcripts/types.ts";
import type { Batch, ReadyBatch, ReadyMessage } from "./batch.ts";
import { identifierParts } from "./identifier-parts.ts";

/** Of rules that look at the name of a file, such as those about tests, none applies to transcripts. */
const NAME = "transcript.jsonl";

/** Characters that are kept, of more that were read so that no secret is cut in two. */
const EXCERPT = 500;
const UNKNOWN_SIZE = 20_000;

export interface Redactor {
  text(text: string): Promise<string>;
  header(header: SessionHeader): Promise<SessionHeader>;
  batch(batch: Batch): Promise<ReadyBatch>;
  /** Whatever a reader goes on from: plain JSON with the secrets of all its texts taken out. */
  state(state: unknown): Promise<unknown>;
}

export function createRedactor(scanner: SecretScanner): Redactor {
  const clean = async (text: string): Promise<string> =>
    storable(text === "" ? text : await scanner.redact(text, NAME));
  const cleanAll = async <Key extends string, T extends Readonly<Record<Key, string>>>(
    items: readonly T[],
    ...keys: readonly Key[]
  ): Promise<T[]> => {
    const cleaned: T[] = [];
    for (const item of items) {
      const texts: Partial<Record<Key, string>> = {};
      for (const key of keys) texts[key] = await clean(item[key]);
      cleaned.push({ ...item, ...texts });
    }
    return cleaned;
  };
  const ready = async (messages: readonly TranscriptMessage[]): Promise<ReadyMessage[]> => {
    const cleaned: ReadyMessage[] = [];
    for (const message of messages) {
      if (message.text.trim() === "") continue;
      const text = await clean(message.text);
      const kind = await clean(message.kind);
      const parts = Buffer.from(identifierParts(text));
      cleaned.push({ ...message, text: Buffer.from(text), kind, parts });
    }
    return cleaned;
  };
  const cleanJson = async (value: unknown): Promise<unknown> => {
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return Promise.all(value.map(cleanJson));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(
      async ([key, inner]) => [await clean(key), await cleanJson(inner)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };
  return {
    text: clean,
    header: async ({ eventCounts, ...header }) => {
      const [cleaned] = await cleanAll([header], ...TEXTS);
      return { ...header, ...cleaned, eventCounts: await cleanCounts(eventCounts, clean) };
    },
    batch: async ({ messages, touches, commands, results, usage, unknown, size }) => ({
      messages: await ready(messages),
      touches: await cleanAll(touches, "path"),
      commands: await cleanAll(commands, "command", "callId"),
      results: begun(await cleanAll(results, "excerpt", "callId"), "excerpt", EXCERPT),
      unknown: begun(await cleanAll(unknown, "text", "type"), "text", UNKNOWN_SIZE),
      usage,
      size,
    }),
    state: cleanJson,
  };
}

/** Texts of a header; ids are what a session is known by, and stay. */
const TEXTS = [
  "title",
  "firstUserMessage",
  "lastAgentMessage",
  "cwd",
  "source",
  "modelProvider",
  "model",
  "cliVersion",
  "gitBranch",
  "gitOriginUrl",
] as const;

async function cleanCounts(
  counts: Readonly<Record<string, number>>,
  clean: (text: string) => Promise<string>,
): Promise<Record<string, number>> {
  const cleaned: Record<string, number> = {};
  for (const [type, count] of Object.entries(counts)) {
    addCount(cleaned, await clean(type), count);
  }
  return cleaned;
}

/** The items with no more of a text than its beginning. */
function begun<Key extends string, T extends Readonly<Record<Key, string>>>(
  items: readonly T[],
  key: Key,
  length: number,
): T[] {
  return items.map((item) =>
    item[key].length > length
      ? { ...item, [key]: wholeCharacters(item[key].slice(0, length)) }
      : item,
  );
}

const NUL = "\0";

/** Text as SQLite can keep it: whole characters, and none that its functions take for the end. */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes(NUL) ? whole.replaceAll(NUL, "�") : whole;
}
