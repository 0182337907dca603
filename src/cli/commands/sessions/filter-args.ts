/** The flags by which commands say which sessions they are about. */

import { usageError } from "../../../lib/errors.ts";
import { optional } from "../../../lib/optional.ts";
import type { CommandArgs, ParsedArgs } from "../../command.ts";

export const STORE_ARGS = {
  db: {
    type: "string",
    description: "Use this database file instead of ~/.pallium/sessions.sqlite",
    valueHint: "path",
  },
} as const satisfies CommandArgs;

export const MODEL_ARG = {
  model: {
    type: "string",
    description: "Model of embeddings; PALLIUM_EMBED_MODEL without, else text-embedding-3-small",
    valueHint: "name",
  },
} as const satisfies CommandArgs;

export const FULL_ARG = {
  full: { type: "boolean", description: "Print whole texts and lists" },
} as const satisfies CommandArgs;

export const FILTER_ARGS = {
  ...STORE_ARGS,
  provider: {
    type: "enum",
    description: "Only sessions of this agent",
    options: ["codex", "claude"],
  },
  machine: {
    type: "string",
    description: "Only sessions on this computer",
    valueHint: "name",
  },
  repo: {
    type: "string",
    description: "Only sessions that worked in this folder or below it",
    valueHint: "path",
  },
  file: {
    type: "string",
    description: "Only sessions that touched a file whose path ends so",
    valueHint: "path",
  },
  tool: {
    type: "string",
    description: "Only sessions that used this tool",
    valueHint: "name",
  },
  since: {
    type: "string",
    description: "Only sessions that were written since: a date, or a time ago such as 7d",
    valueHint: "when",
  },
} as const satisfies CommandArgs;

export const SAID_ARGS = {
  role: {
    type: "enum",
    description: "Only what this one said",
    options: ["user", "assistant", "tool"],
  },
  context: {
    type: "string",
    description: "Also print this many messages before and after each hit",
    valueHint: "n",
  },
} as const satisfies CommandArgs;

export function saidOf(args: ParsedArgs) {
  const context = args.integer("context");
  if (context !== undefined && context < 0) throw usageError("--context must be 0 or more");
  return optional({ role: args.text("role"), context });
}

export function storeOf(args: ParsedArgs): { db?: string } {
  return optional({ db: args.text("db") });
}

export function filterOf(args: ParsedArgs) {
  return {
    ...storeOf(args),
    ...optional({
      provider: args.text("provider"),
      machine: args.text("machine"),
      repo: args.text("repo"),
      file: args.text("file"),
      tool: args.text("tool"),
      since: args.text("since"),
    }),
  };
}

export function modelOf(args: ParsedArgs): { model?: string } {
  return optional({ model: args.text("model") || undefined });
}

export function limitArg(usual: number) {
  return {
    limit: {
      type: "string",
      description: "Most to list",
      valueHint: "n",
      default: String(usual),
    },
  } as const satisfies CommandArgs;
}

export function limitOf(args: ParsedArgs, usual: number): number {
  const limit = args.integer("limit") ?? usual;
  if (limit < 1) throw usageError("--limit must be 1 or more");
  return limit;
}

/** The words of a question, which may be quoted or not. */
export function wordsOf(args: ParsedArgs): readonly string[] {
  if (args.rest.join("").trim() === "") throw usageError("say what to look for");
  return args.rest;
}
