/**
 * A model on loopback for the real provider command lines: it speaks OpenAI's `/v1/responses` and
 * Anthropic's `/v1/messages`, says what a script of the test tells it to, and remembers what it was asked.
 */
import { isRecord } from "../../src/lib/json.ts";

/** One request of a provider command line for the model's next turn. */
export interface ModelRequest {
  readonly api: "responses" | "messages";
  readonly body: Record<string, unknown>;
  /** Everything the request holds, as text to look for prompts and tool results in. */
  readonly text: string;
  /** Results of tools that the model asked for earlier in this conversation, in order. */
  readonly toolResults: readonly string[];
  /** Names of the tools the model may ask for. */
  readonly tools: readonly string[];
}

/** What the model does next. */
export type ModelTurn =
  | { readonly say: string; readonly refused?: true }
  | {
      readonly tool: string;
      readonly input: Record<string, unknown>;
      /** Of codex's tools that are offered as a group. */
      readonly namespace?: string;
    }
  /** A tool of codex that takes a text, such as `apply_patch`. */
  | { readonly tool: string; readonly freeform: string }
  | { readonly status: number; readonly error: string; readonly errorType?: string };

export interface ModelServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
}

/** Tokens that every turn reports; `cached` is a part of `input`. */
export const TURN_USAGE = { input: 120, cached: 20, output: 7 } as const;

/** @param script is asked once per request; it may look at the whole conversation. */
export function startModelServer(
  script: (request: ModelRequest) => ModelTurn | Promise<ModelTurn>,
): ModelServer {
  const requests: ModelRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    fetch: async (incoming) => {
      const api = apiOf(new URL(incoming.url).pathname);
      if (api === undefined || incoming.method !== "POST") return new Response("", { status: 404 });
      const request = readRequest(api, await incoming.json());
      requests.push(request);
      return answer(api, await script(request), requests.length);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const RESULT_TYPES = ["function_call_output", "custom_tool_call_output"];

function apiOf(path: string): ModelRequest["api"] | undefined {
  if (path === "/v1/responses") return "responses";
  return path === "/v1/messages" ? "messages" : undefined;
}

function readRequest(api: ModelRequest["api"], body: unknown): ModelRequest {
  if (!isRecord(body)) throw new Error("a model request without a body");
  const items = listOf(api === "responses" ? body.input : body.messages);
  const results =
    api === "responses"
      ? items.filter(({ type }) => RESULT_TYPES.includes(String(type))).map(({ output }) => output)
      : items
          .flatMap((item) => listOf(item.content))
          .filter((part) => part.type === "tool_result")
          .map((part) => part.content);
  return {
    api,
    body,
    text: JSON.stringify(body),
    toolResults: results.map((result) =>
      typeof result === "string" ? result : JSON.stringify(result),
    ),
    tools: listOf(body.tools).map((tool) => String(tool.name ?? tool.type)),
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function answer(api: ModelRequest["api"], turn: ModelTurn, number: number): Response {
  if ("status" in turn) {
    const error = { type: turn.errorType ?? "error", message: turn.error };
    return Response.json({ type: "error", error }, { status: turn.status });
  }
  const events = api === "responses" ? responseEvents(turn, number) : messageEvents(turn, number);
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

type Spoken = Exclude<ModelTurn, { status: number }>;
type ServerEvent = { readonly type: string } & Record<string, unknown>;

function responseEvents(turn: Spoken, number: number): ServerEvent[] {
  const id = `resp_${number}`;
  const item = responseItem(turn, number);
  const usage = {
    input_tokens: TURN_USAGE.input,
    input_tokens_details: { cached_tokens: TURN_USAGE.cached },
    output_tokens: TURN_USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TURN_USAGE.input + TURN_USAGE.output,
  };
  return [
    { type: "response.created", response: { id } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, usage } },
  ];
}

function responseItem(turn: Spoken, number: number): Record<string, unknown> {
  if ("say" in turn) {
    const content = [{ type: "output_text", text: turn.say, annotations: [] }];
    return { type: "message", id: `msg_${number}`, role: "assistant", content };
  }
  const call = { call_id: `call_${number}`, name: turn.tool };
  return "freeform" in turn
    ? { type: "custom_tool_call", id: `ctc_${number}`, ...call, input: turn.freeform }
    : {
        type: "function_call",
        id: `fc_${number}`,
        ...call,
        ...(turn.namespace === undefined ? {} : { namespace: turn.namespace }),
        arguments: JSON.stringify(turn.input),
      };
}

function messageEvents(turn: Spoken, number: number): ServerEvent[] {
  const says = "say" in turn;
  const block = says
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${number}`, name: turn.tool, input: {} };
  const delta = says
    ? { type: "text_delta", text: turn.say }
    : { type: "input_json_delta", partial_json: JSON.stringify("input" in turn ? turn.input : {}) };
  const stop = says ? (turn.refused ? "refusal" : "end_turn") : "tool_use";
  const usage = {
    input_tokens: TURN_USAGE.input - TURN_USAGE.cached,
    cache_read_input_tokens: TURN_USAGE.cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: TURN_USAGE.output },
    },
    { type: "message_stop" },
  ];
}
