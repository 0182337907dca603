/** Reads what `claude -p --output-format json` printed. */
import { isRecord, parseJson } from "../lib/json.ts";
import type { Usage } from "./contract.ts";
import { parseUsage } from "./usage.ts";

export interface ClaudeOutput {
  /** The answer; the printed text itself where it is no envelope. */
  readonly text: string;
  /** Set when claude reported that it failed. */
  readonly error?: string;
  readonly refused: boolean;
  /** Names of the tools it asked for and was refused. */
  readonly deniedTools: readonly string[];
  readonly usage?: Usage;
  /** Name of the conversation. */
  readonly session?: string;
}

/** @param printed trimmed stdout: a result object, an array of events with one in it, or plain text. */
export function parseClaudeOutput(printed: string): ClaudeOutput {
  const envelope = findEnvelope(parseJson(printed));
  if (envelope === undefined) return { text: printed, refused: false, deniedTools: [] };
  const text = typeof envelope.result === "string" ? envelope.result : undefined;
  const error = errorOf(envelope, text);
  const usage = usageOf(envelope);
  return {
    text: text ?? printed,
    ...(error === undefined ? {} : { error }),
    refused: envelope.stop_reason === "refusal",
    deniedTools: deniedTools(envelope.permission_denials),
    ...(usage === undefined ? {} : { usage }),
    ...(typeof envelope.session_id === "string" ? { session: envelope.session_id } : {}),
  };
}

function findEnvelope(printed: unknown): Record<string, unknown> | undefined {
  if (isRecord(printed)) return printed;
  if (!Array.isArray(printed)) return undefined;
  return printed.filter(isRecord).findLast((event) => event.type === "result");
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
