import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { indexText } from "../../views/sessions/index-outcome.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./filter-args.ts";

export const command: Command = {
  name: "index",
  summary: operations["sessions.index"].summary,
  arity: [0, 0],
  ifTooMany: "to read other files, use --include",
  args: {
    ...STORE_ARGS,
    provider: {
      type: "enum",
      description: "Only transcripts of this agent",
      options: ["all", "codex", "claude"],
      default: "all",
    },
    "codex-home": {
      type: "string",
      description: "Where Codex keeps what is its own, instead of CODEX_HOME or ~/.codex",
      valueHint: "path",
    },
    "claude-home": {
      type: "string",
      description: "The same for Claude Code, instead of CLAUDE_CONFIG_DIR or ~/.claude",
      valueHint: "path",
    },
    include: {
      type: "string",
      description: "Read this file or folder of transcripts too",
      valueHint: "path",
      multiple: true,
    },
    machine: {
      type: "string",
      description: "Name of the computer that the transcripts are of; this one without",
      valueHint: "name",
    },
    "safety-buffer": {
      type: "string",
      description: "Leave transcripts alone that were written within this time",
      valueHint: "duration",
      default: "2m",
    },
    since: {
      type: "string",
      description: "Only transcripts that were written within this time",
      valueHint: "duration",
    },
    model: {
      type: "string",
      description: "Has no effect: what is read does not depend on what was embedded",
      valueHint: "name",
    },
    force: { type: "boolean", description: "Read everything anew, what is being written too" },
  },
  examples: [
    "pallium sessions index",
    "pallium sessions index --include ~/laptop/.codex/sessions --machine laptop",
  ],
  operation: "sessions.index",
  async run(args, context) {
    const request = requestOf(args);
    const outcome = await operations["sessions.index"].call(
      await context.services(),
      request,
      observerOf(context),
    );
    return { data: asJson(outcome), text: indexText(outcome) };
  },
};

function requestOf(args: ParsedArgs) {
  const include = args.list("include");
  if (include.some((path) => path.trim() === "")) throw usageError("--include needs a path");
  return {
    ...storeOf(args),
    include,
    force: args.flag("force"),
    ...optional({
      provider: args.text("provider"),
      codex_home: args.text("codex-home") || undefined,
      claude_home: args.text("claude-home") || undefined,
      machine: args.text("machine") || undefined,
      safety_buffer: args.text("safety-buffer") || undefined,
      since: args.text("since") || undefined,
    }),
  };
}
