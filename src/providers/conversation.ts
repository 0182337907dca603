/**
 * Conversations of providers that a later call goes on with. The command lines count a resumed one
 * from its beginning, so what it had used by then goes with its name.
 */
import { isRecord, parseJson } from "../lib/json.ts";
import { withoutNoise } from "../lib/money.ts";
import { optional } from "../lib/optional.ts";
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

export type ConversationName = Omit<Conversation, "used">;

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

/** Names of conversations, each once; what names none is left out. */
export function conversationNames(
  sessions: Iterable<string | undefined>,
): readonly ConversationName[] {
  const names = new Map<string, ConversationName>();
  for (const session of sessions) {
    const read = parseJson(session ?? "");
    if (!isRecord(read) || typeof read.id !== "string") continue;
    const name = { provider: String(read.provider), id: read.id };
    names.set(JSON.stringify(name), name);
  }
  return [...names.values()];
}

/** As `conversationOf`, only where its name can be an argument of a program. */
export function resumable(task: AgentTask): Conversation | undefined {
  const conversation = conversationOf(task);
  return conversation !== undefined && ID.test(conversation.id) ? conversation : undefined;
}

/** The conversation that a call goes on with, as an attempt of it left that. */
export function asLeft(session: string | undefined, after: string | undefined): string | undefined {
  const [before, later] = [session, after].map((text) => parseJson(text ?? ""));
  if (!isRecord(before) || !isRecord(later)) return session;
  return before.provider === later.provider && before.id === later.id ? after : session;
}

export interface Account {
  /** What was used for the task alone. */
  readonly usage?: Usage;
  /** Names the conversation for a later task. */
  readonly session?: string;
}

/**
 * What one process used, and how to go on with the conversation that it had.
 * @param had the provider's own name of it, empty for none, and the usage report for all of it.
 */
export function accountOf(
  task: AgentTask,
  had: { readonly provider: string; readonly id: string; readonly total: Usage | undefined },
): Account {
  const { provider, id, total } = had;
  const earlier = resumable(task);
  const before = earlier?.id === id ? earlier.used : undefined;
  const used = total === undefined ? before : parseJson(total.raw);
  return optional({
    usage: total === undefined ? undefined : usageSince(total, before, provider),
    session: conversationText({ provider, id, used }),
  });
}

/** A report with a lower number than before was begun anew. */
function usageSince(total: Usage, before: unknown, who: string): Usage {
  const report = parseJson(total.raw);
  if (!isRecord(report) || !isRecord(before)) return total;
  const since: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(report)) {
    const less = before[name];
    const both = typeof value === "number" && typeof less === "number";
    if (both && value < less) return total;
    since[name] = both ? withoutNoise(value - less) : value;
  }
  return parseUsage(JSON.stringify(since), who).usage ?? total;
}
