/** Reads what `claude -p` printed: events of which each is a line of JSON, the last of them the result. */
import { isRecord, parseJson } from "../lib/json.ts";
import type { Usage } from "./contract.ts";
import { parseUsage } from "./usage.ts";

export interface ClaudeOutput {
  /** The answer; where there is no result, what was printed beside events. */
  readonly text: string;
  /** Whether claude got as far as to print a result. */
  readonly isResult: boolean;
  /** Whether a model may have been asked: not where the conversation to go on with was not found. */
  readonly asked: boolean;
  /** Set when claude reported that it failed. */
  readonly error?: string;
  readonly refused: boolean;
  /** Names of the tools it asked for and was refused. */
  readonly deniedTools: readonly string[];
  readonly usage?: Usage;
  /** Name of the conversation. */
  readonly session?: string;
}

/**
 * @param printed trimmed stdout: events in lines, of which the first may be torn; or one result, an
 *   array of events, plain text.
 */
export function parseClaudeOutput(printed: string): ClaudeOutput {
  const envelope = findEnvelope(printed);
  if (envelope === undefined) {
    const text = withoutEvents(printed);
    return { text, isResult: false, asked: printed !== "", refused: false, deniedTools: [] };
  }
  const text = typeof envelope.result === "string" ? envelope.result : undefined;
  const error = errorOf(envelope, text);
  const usage = usageOf(envelope);
  return {
    text: text ?? JSON.stringify(envelope),
    isResult: true,
    asked: text !== undefined || envelope.num_turns !== 0,
    ...(error === undefined ? {} : { error }),
    refused: envelope.stop_reason === "refusal",
    deniedTools: deniedTools(envelope.permission_denials),
    ...(usage === undefined ? {} : { usage }),
    ...(typeof envelope.session_id === "string" ? { session: envelope.session_id } : {}),
  };
}

const IS_RESULT = /"type"\s*:\s*"result"/;

function findEnvelope(printed: string): Record<string, unknown> | undefined {
  const whole: unknown = parseJson(printed);
  if (Array.isArray(whole)) return whole.filter(isRecord).findLast(isResult);
  if (isRecord(whole)) return isEvent(whole) && !isResult(whole) ? undefined : whole;
  const lines = printed.split("\n").filter((line) => IS_RESULT.test(line));
  return lines
    .map((line): unknown => parseJson(line))
    .filter(isRecord)
    .findLast(isResult);
}

function isResult({ type }: Record<string, unknown>): boolean {
  return type === "result";
}

function isEvent({ type }: Record<string, unknown>): boolean {
  return typeof type === "string";
}

/** What is printed beside events says why there is no result; events quote what files and programs say. */
function withoutEvents(printed: string): string {
  const lines = printed.split("\n").filter((line) => {
    const event = line.startsWith("{") ? parseJson(line) : undefined;
    return !(isRecord(event) && isEvent(event));
  });
  return lines.join("\n");
}

function errorOf(envelope: Record<string, unknown>, text: string | undefined): string | undefined {
  const subtype = typeof envelope.subtype === "string" ? envelope.subtype : "";
  const endedWithout = envelope.type === "result" && text === undefined;
  if (envelope.is_error !== true && !(endedWithout && subtype.startsWith("error"))) {
    return undefined;
  }
  return text?.trim() || subtype || "no reason given";
}

function deniedTools(denials: unknown): string[] {
  if (!Array.isArray(denials)) return [];
  const names = denials.filter(isRecord).map((denial) => denial.tool_name);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

function usageOf(envelope: Record<string, unknown>): Usage | undefined {
  const report = { cost_usd: envelope.total_cost_usd, ...tokensOf(envelope) };
  if (Object.values(report).every((value) => value === undefined)) return undefined;
  return parseUsage(JSON.stringify(report), "claude").usage;
}

/** `usage` counts the last turn only, `modelUsage` everything the cost is for: all turns and sub-agents. */
function tokensOf({ usage, modelUsage }: Record<string, unknown>) {
  const models = isRecord(modelUsage) ? Object.values(modelUsage).filter(isRecord) : [];
  if (models.length > 0) {
    return { input_tokens: sum(models, "inputTokens"), output_tokens: sum(models, "outputTokens") };
  }
  const tokens = isRecord(usage) ? usage : {};
  return { input_tokens: tokens.input_tokens, output_tokens: tokens.output_tokens };
}

function sum(records: readonly Record<string, unknown>[], field: string): number {
  return records.reduce((total, record) => {
    const value = record[field];
    return total + (typeof value === "number" ? value : 0);
  }, 0);
}
