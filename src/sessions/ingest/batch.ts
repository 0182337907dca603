/** What was read of one transcript since it was last written to the store. */
import type {
  CallResult,
  CommandRun,
  FileTouch,
  RecordFacts,
  TranscriptMessage,
  UsageFact,
} from "../transcripts/types.ts";

/** A record that no reader knows, as it was. */
export interface UnknownRecord {
  readonly line: number;
  readonly type: string;
  readonly text: string;
}

export interface Batch {
  readonly messages: TranscriptMessage[];
  readonly touches: FileTouch[];
  readonly commands: CommandRun[];
  readonly results: CallResult[];
  readonly usage: UsageFact[];
  readonly unknown: UnknownRecord[];
  /** Characters of the texts in it. */
  size: number;
}

/**
 * A message as it is stored. The texts are in UTF-8, as SQLite keeps them: what is
 * read beside the writing comes without being copied, and is written as it is.
 */
export interface ReadyMessage extends Omit<TranscriptMessage, "text"> {
  readonly text: Uint8Array<ArrayBuffer>;
  /** The words inside of the identifiers in its text. */
  readonly parts: Uint8Array<ArrayBuffer>;
}

/** A batch without secrets, and with all that can be made of its texts beforehand. */
export interface ReadyBatch extends Omit<Batch, "messages"> {
  readonly messages: readonly ReadyMessage[];
}

export function emptyBatch(): Batch {
  return { messages: [], touches: [], commands: [], results: [], usage: [], unknown: [], size: 0 };
}

export function addFacts(batch: Batch, facts: RecordFacts): void {
  batch.messages.push(...facts.messages);
  batch.touches.push(...facts.touches);
  batch.commands.push(...facts.commands);
  batch.results.push(...facts.results);
  batch.usage.push(...facts.usage);
  for (const { text } of facts.messages) batch.size += text.length;
}
