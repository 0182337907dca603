/** What answers of agents and results of runs say under names that people give to findings. Pure. */
import { isRecord, type Json, parseJson } from "../../lib/json.ts";

/** Trimmed, each once, in the order in which they were met: outer ones before inner ones. */
export interface Said {
  readonly findings: readonly string[];
  readonly risks: readonly string[];
  readonly nextSteps: readonly string[];
  /** The outermost one. */
  readonly summary?: string;
}

const FINDINGS = ["findings", "top_findings", "observations", "claims", "corrections"];
const RISKS = ["risks", "risk"];
const NEXT_STEPS = ["next_steps", "next_step", "next_prompt"];
const SUMMARIES = ["summary", "decision", "verdict"];
/** Where an entry that is an object has its text. */
const TEXTS = ["message", "name", "title", "description"];

/** @param text of any kind; only JSON objects and arrays say something. */
export function saidIn(text: string): Said {
  const findings = new Set<string>();
  const risks = new Set<string>();
  const nextSteps = new Set<string>();
  let summary: string | undefined;
  for (const object of objectsIn(parsed(text))) {
    gather(object, FINDINGS, findings);
    gather(object, RISKS, risks);
    gather(object, NEXT_STEPS, nextSteps);
    summary ??= SUMMARIES.flatMap((name) => [...textsIn(object[name])])[0];
  }
  return {
    findings: [...findings],
    risks: [...risks],
    nextSteps: [...nextSteps],
    ...(summary === undefined ? {} : { summary }),
  };
}

function parsed(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
}

/** Level by level, however deep; what an agent answers may be nested deeper than calls can be. */
function* objectsIn(root: Json | undefined): Generator<Record<string, unknown>> {
  let level: unknown[] = [root];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      if (isRecord(value)) yield value;
      for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
}

function gather(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
  into: Set<string>,
): void {
  for (const name of names) for (const text of textsIn(object[name])) into.add(text);
}

/** Of a text, a list, a list of lists, or objects with a text in them. */
function* textsIn(root: unknown): Generator<string> {
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--) waiting.push(value[at]);
      continue;
    }
    const text = isRecord(value) ? textOf(value) : value;
    if (typeof text === "string" && text.trim() !== "") yield text.trim();
  }
}

function textOf(object: Readonly<Record<string, unknown>>): unknown {
  const name = TEXTS.find((one) => typeof object[one] === "string" && object[one].trim() !== "");
  return name === undefined ? undefined : object[name];
}
