/**
 * What the runner and a script worker say to each other. Every message is one JSON text, so that
 * nothing but data can cross; the host decodes with `decodeWorkerMessage` and treats the worker as
 * hostile, the worker trusts the host.
 */
import { isRecord, type Json } from "../../lib/json.ts";

/** What scripts ask of repository memory. */
export const REPO_PRIMITIVES = [
  "pallium.verify",
  "pallium.review",
  "pallium.handoff",
  "pallium.explain",
  "pallium.safe",
  "pallium.plan",
  "pallium.changedNow",
  "pallium.preflight",
  "pallium.task.start",
  "pallium.task.show",
  "pallium.task.clear",
] as const;
export type RepoPrimitive = (typeof REPO_PRIMITIVES)[number];

/** The primitives whose work is done by the host. */
export const HOST_PRIMITIVES = [
  "agent",
  "check",
  "gate",
  "coordinator.replan",
  "workflow",
  "verify.untilGreen",
  "pallium.decisions.record",
  "pallium.decisions.search",
  ...REPO_PRIMITIVES,
] as const;
export type HostPrimitive = (typeof HOST_PRIMITIVES)[number];

/** What a call is made through that says where in its script it is: `(f, line, column) => f`. */
export const CALL_SITE = "__pallium_call_site__";

/** Budget in US dollars as scripts read it; `null` where there is no limit. */
export interface BudgetView {
  readonly total: number | null;
  readonly spent: number;
}

/** An error as data. `fatal` ones end a parallel or pipeline instead of dropping one item. */
export interface WireError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly fatal?: boolean;
  /** Id of the host call that failed; the host has recorded that failure already. */
  readonly call?: number;
  /** Position in the script, 1-based, where it is known. */
  readonly line?: number;
  readonly column?: number;
}

export interface StartMessage {
  readonly type: "start";
  /** Complete program text for `Compartment.evaluate`, made by `workflow/script/prepare`. */
  readonly program: string;
  /** Name shown in stack traces; the script's file name. */
  readonly fileName: string;
  /** By how many columns the program's first line is moved against the script's. */
  readonly wrapperColumns: number;
  readonly args: Json;
  readonly budget: BudgetView;
  readonly limits: MessageLimits;
}

/** How long what a script says may be. */
export interface MessageLimits {
  /** Of one message in either direction. */
  readonly messageCharacters: number;
  /** Of one `log` line; longer ones are cut with a mark. */
  readonly logLineCharacters: number;
}

export type HostMessage =
  | StartMessage
  | {
      readonly type: "settled";
      readonly id: number;
      readonly value: Json;
      readonly budget: BudgetView;
    }
  | {
      readonly type: "rejected";
      readonly id: number;
      readonly error: WireError;
      readonly budget: BudgetView;
    }
  /** The call gets no answer in this execution: what waits for it waits forever. */
  | { readonly type: "unanswered"; readonly id: number }
  | { readonly type: "ping"; readonly nonce: number }
  /** To be echoed once all that came before it has had its effect on the script. */
  | { readonly type: "echo"; readonly nonce: number }
  /** Memory runs short: free what is no longer needed. */
  | { readonly type: "pressure" };

export interface CallMessage {
  readonly type: "call";
  /** Unique in this worker, counted up from 1. */
  readonly id: number;
  readonly primitive: HostPrimitive;
  /** Structural scope such as `parallel#1[3]/pipeline#0[2].1`; empty at the top. For `workflow` its own. */
  readonly scope: string;
  /** Phase the calling scope is in; empty where none was entered. */
  readonly phase: string;
  /** Place of the call in the script, 1-based, where it said so. */
  readonly line?: number;
  readonly column?: number;
  /** The primitive's arguments as the script gave them; a missing one is absent. */
  readonly args: readonly Json[];
}

export interface DropMessage {
  readonly type: "drop";
  /** `parallel item 3` or `pipeline stage 0 item 3`. */
  readonly label: string;
  readonly phase: string;
  readonly error: WireError;
}

export type WorkerMessage =
  | { readonly type: "ready" }
  | CallMessage
  | DropMessage
  /** A phase gained its first or lost its last scope. */
  | { readonly type: "phase"; readonly name: string; readonly active: boolean }
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "pong"; readonly nonce: number }
  | { readonly type: "echoed"; readonly nonce: number }
  /** The script returned. `value` is absent for `undefined`; `notes` say what was changed to fit JSON. */
  | { readonly type: "returned"; readonly value?: Json; readonly notes: readonly string[] }
  /** The script threw, returned what is no data, or waits for a promise nobody can settle. */
  | { readonly type: "failed"; readonly error: WireError };

/** Most characters of one message where nothing else was asked for. */
export const MESSAGE_LIMIT = 16 * 1024 * 1024;
/** Most items of one `parallel` or `pipeline`. */
export const ITEM_LIMIT = 4096;
/** Most calls that wait for their answers at the same time. */
export const OPEN_CALL_LIMIT = 20_000;
/** Most characters of one `log` line where nothing else was asked for. */
export const LOG_LINE_LIMIT = 64 * 1024;

/** Thrown for a message that no worker of ours sends. */
export class ProtocolViolation extends Error {
  override readonly name = "ProtocolViolation";
}

function fail(what: string): never {
  throw new ProtocolViolation(`script worker sent ${what}`);
}

function text(value: unknown, what: string, limit = 4096): string {
  if (typeof value !== "string" || value.length > limit) fail(`a bad ${what}`);
  return value;
}

function positiveInteger(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) fail(`a bad ${what}`);
  return value as number;
}

function wireError(value: unknown, limits: MessageLimits): WireError {
  if (!isRecord(value)) fail("a bad error");
  return {
    name: text(value.name, "error name"),
    code: text(value.code, "error code"),
    message: text(value.message, "error message", limits.messageCharacters),
    ...(value.fatal === true ? { fatal: true } : {}),
    ...(value.call === undefined ? {} : { call: positiveInteger(value.call, "call id") }),
    ...position(value),
  };
}

function position({ line, column }: Record<string, unknown>): { line?: number; column?: number } {
  return {
    ...(line === undefined ? {} : { line: positiveInteger(line, "line") }),
    ...(column === undefined ? {} : { column: positiveInteger(column, "column") }),
  };
}

function primitive(value: unknown): HostPrimitive {
  const found = HOST_PRIMITIVES.find((name) => name === value);
  return found ?? fail("an unknown primitive");
}

/**
 * Decodes one message of a worker; it must be JSON text within the limits and of a known shape.
 * @throws ProtocolViolation for anything else.
 */
export function decodeWorkerMessage(data: unknown, limits: MessageLimits): WorkerMessage {
  if (typeof data !== "string") fail("something that is not text");
  const { messageCharacters, logLineCharacters } = limits;
  if (data.length > messageCharacters) fail(`a message over ${messageCharacters} characters`);
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    fail("text that is not JSON");
  }
  if (!isRecord(message)) fail("a message that is no object");
  switch (message.type) {
    case "ready":
      return { type: "ready" };
    case "call":
      return {
        type: "call",
        id: positiveInteger(message.id, "call id"),
        primitive: primitive(message.primitive),
        scope: text(message.scope, "scope"),
        phase: text(message.phase, "phase"),
        ...position(message),
        args: Array.isArray(message.args) ? (message.args as Json[]) : fail("bad call arguments"),
      };
    case "drop":
      return {
        type: "drop",
        label: text(message.label, "label"),
        phase: text(message.phase, "phase"),
        error: wireError(message.error, limits),
      };
    case "phase":
      return { type: "phase", name: text(message.name, "phase"), active: message.active === true };
    case "log":
      return { type: "log", text: text(message.text, "log line", logLineCharacters + 64) };
    case "pong":
      return { type: "pong", nonce: positiveInteger(message.nonce, "nonce") };
    case "echoed":
      return { type: "echoed", nonce: positiveInteger(message.nonce, "nonce") };
    case "returned":
      return {
        type: "returned",
        ...(message.value === undefined ? {} : { value: message.value as Json }),
        notes: Array.isArray(message.notes)
          ? message.notes.slice(0, 20).map((note) => text(note, "note"))
          : fail("bad notes"),
      };
    case "failed":
      return { type: "failed", error: wireError(message.error, limits) };
    default:
      return fail("a message of an unknown type");
  }
}

/** One request to the schema worker; without `answer` the schema is only compiled. */
export interface SchemaRequest {
  readonly id: number;
  /** JSON text of the schema. */
  readonly schema: string;
  /** JSON text to judge. */
  readonly answer?: string;
}

/** What the schema worker found; `message` is empty for `ok`. */
export interface SchemaReply {
  readonly id: number;
  readonly verdict: "ok" | "mismatch" | "invalid_schema";
  readonly message: string;
}
