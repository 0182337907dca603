/**
 * `pallium.decisions.record` and `.search`: what runs decided, kept for later ones. On record like
 * every call: a resumed run records nothing twice and finds what it found.
 */
import { PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { NewDecision } from "../run/decisions.ts";
import type { CallSite, PreparedCall } from "./call.ts";
import type { CallSetting, Execution } from "./execution.ts";
import { runnerPlan } from "./runner-plan.ts";
import { scriptValue } from "./value.ts";

const DEFAULT_LIMIT = 10;
const MOST = 1000;

/** @throws PalliumError `bad_option` or `decision_title_required`. */
export async function prepareRecord(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  const decision = newDecision(args);
  const { title, body, tags } = decision;
  return storeCall(setting, site, {
    primitive: "pallium.decisions.record",
    asked: [title, body, ...tags],
    label: `decision: ${oneLine(title, 100)}`,
    answer: ({ decisions }) => decisions.record(decision),
  });
}

/** @throws PalliumError `bad_option`. */
export async function prepareSearch(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  const query = text(args[0], "query");
  const limit = args[1] ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MOST) {
    throw badArgument(`limit must be a whole number from 1 to ${MOST}`);
  }
  return storeCall(setting, site, {
    primitive: "pallium.decisions.search",
    asked: [query, limit],
    label: `decisions of: ${oneLine(query, 100)}`,
    answer: async ({ decisions }) => decisions.search(query, Number(limit)),
  });
}

interface StoreCall {
  readonly primitive: "pallium.decisions.record" | "pallium.decisions.search";
  readonly asked: readonly Json[];
  readonly label: string;
  readonly answer: (execution: Execution) => Promise<object>;
}

function storeCall(
  setting: CallSetting,
  site: CallSite,
  { primitive, asked, label, answer }: StoreCall,
): PreparedCall {
  return {
    site,
    plan: runnerPlan(setting, {
      primitive,
      prompt: JSON.stringify(asked),
      label,
      mode: "read-only",
      kind: "repo",
      work: async (execution) => ({ ok: true, output: JSON.stringify(await answer(execution)) }),
    }),
    value: (output) => scriptValue(output, true),
  };
}

function newDecision([title, body, ...tags]: readonly Json[]): NewDecision {
  const words = tags.flat().map((tag) => text(tag, "tags"));
  const decision = {
    title: text(title, "title"),
    body: text(body, "body"),
    tags: [...new Set(words.filter((tag) => tag !== ""))],
  };
  if (decision.title !== "") return decision;
  throw new PalliumError("decision_title_required", "workflow decision requires run id and title", {
    hints: ['name the decision first: pallium.decisions.record("Use SQLite", "One file.")'],
  });
}

function text(value: Json | undefined, name: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.trim();
  throw badArgument(`${name} must be text`);
}

function badArgument(what: string): PalliumError {
  return new PalliumError("bad_option", `pallium.decisions: ${what}`, {
    hints: [
      "decisions.record(title, body, ...tags) takes texts, decisions.search(query, limit) a text and a number",
    ],
  });
}
