/**
 * Conversations of providers that a later call goes on with. The command lines count a resumed one
 * from its beginning, so what it had used by then goes with its name.
 */
import { isRecord, parseJson } from "../lib/json.ts";
import type { AgentTask, Usage } from "./contract.ts";
import { parseUsage } from "./usage.ts";

export interface Conversation {
  /** Name of the provider it is with: no other knows it. */
  readonly provider: string;
  /** The provider's own name of it. */
  readonly id: string;
  /** The usage report at its end, for all of it. */
  readonly used?: unknown;
}

const MICROS = 1_000_000;
/** What can be an argument of a program without being taken for an option. */
const ID = /^\w[\w-]*$/;

/** A text from which `conversationOf` reads it again; `undefined` for one that cannot be resumed. */
export function conversationText({ provider, id, used }: Conversation): string | undefined {
  return id === "" ? undefined : JSON.stringify({ provider, id, used });
}

/** The conversation that a task is to go on with, where it is one of the task's own provider. */
export function conversationOf({ session, provider }: AgentTask): Conversation | undefined {
  const read = session === undefined ? undefined : parseJson(session);
  if (!isRecord(read) || read.provider !== provider) return undefined;
  return typeof read.id === "string" ? { provider, id: read.id, used: read.used } : undefined;
}

/** As `conversationOf`, only where its name can be an argument of a program. */
export function resumable(task: AgentTask): Conversation | undefined {
  const conversation = conversationOf(task);
  return conversation !== undefined && ID.test(conversation.id) ? conversation : undefined;
}

/**
 * What the last call used of what a conversation used in all.
 * @param before report at the end of the call before it.
 */
export function usageSince(usage: Usage, before: unknown, who: string): Usage {
  const report = parseJson(usage.raw);
  if (!isRecord(report) || !isRecord(before)) return usage;
  const since = Object.entries(report).map(([name, value]) => [name, less(value, before[name])]);
  return parseUsage(JSON.stringify(Object.fromEntries(since)), who).usage ?? usage;
}

/** A count that is lower than before was begun anew. */
function less(value: unknown, before: unknown): unknown {
  if (typeof value !== "number" || typeof before !== "number" || value < before) return value;
  return Math.round((value - before) * MICROS) / MICROS;
}
