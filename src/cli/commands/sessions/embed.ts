import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { embedText } from "../../views/sessions/semantic.ts";
import { observerOf } from "../observer.ts";
import { limitOf, MODEL_ARG, modelOf, STORE_ARGS, storeOf } from "./filter-args.ts";

const USUAL = 1_000_000;
const USUAL_BATCH = 64;
/** What OpenAI takes. */
const LARGEST_BATCH = 2048;

export const command: Command = {
  name: "embed",
  summary: operations["sessions.embed"].summary,
  arity: [0, 0],
  args: {
    session: {
      type: "string",
      description: "Only this session, by its id or a part of it",
      valueHint: "session-id",
    },
    ...MODEL_ARG,
    limit: {
      type: "string",
      description: "Most pieces to embed",
      valueHint: "n",
      default: String(USUAL),
    },
    "batch-size": {
      type: "string",
      description: "Pieces of text that are sent together",
      valueHint: "n",
      default: String(USUAL_BATCH),
    },
    yes: { type: "boolean", description: "Do not ask whether text may leave this computer" },
    anew: {
      type: "boolean",
      description: "Make every vector of the model again, as after it was replaced",
    },
    ...STORE_ARGS,
  },
  examples: [
    "OPENAI_API_KEY=… pallium sessions embed",
    "PALLIUM_EMBED_PROVIDER=ollama PALLIUM_EMBED_MODEL=bge-m3 pallium sessions embed",
  ],
  operation: "sessions.embed",
  async run(args, context) {
    const outcome = await operations["sessions.embed"].call(
      await context.services(),
      requestOf(args),
      { ...observerOf(context), confirm: context.confirm },
    );
    return { data: asJson(outcome), text: embedText(outcome) };
  },
};

function requestOf(args: ParsedArgs) {
  const batchSize = args.integer("batch-size") ?? USUAL_BATCH;
  if (batchSize < 1 || batchSize > LARGEST_BATCH) {
    throw usageError(`--batch-size must be from 1 to ${LARGEST_BATCH}`);
  }
  return {
    ...storeOf(args),
    ...modelOf(args),
    ...optional({ session: args.text("session") || undefined }),
    limit: limitOf(args, USUAL),
    batch_size: batchSize,
    yes: args.flag("yes"),
    anew: args.flag("anew"),
  };
}
