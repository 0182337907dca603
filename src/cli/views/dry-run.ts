/** What a script would do, as text: phases, calls with their lines, and what they may cost. */
import { counted } from "../../lib/counted.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { DryCall, DryPhase, DryRun } from "../../workflow/rehearsal/dry-run.ts";
import type { Forecast } from "../../workflow/rehearsal/forecast.ts";
import { type Column, type TableOptions, tableLines } from "./table.ts";

/** Calls that are shown; the document has all of them. */
const SHOWN_CALLS = 200;
const LABEL_LENGTH = 40;

const STATES: Readonly<Record<DryRun["state"], string>> = {
  completed: "it comes to its end on stub answers",
  failed: "it fails on stub answers",
  cut: "it was stopped",
};

const COLUMNS: readonly Column<DryCall>[] = [
  { title: "LINE", cell: ({ line }) => (line === undefined ? "?" : String(line)), align: "right" },
  { title: "PHASE", cell: ({ phase }) => oneLine(phase, LABEL_LENGTH), cut: "end" },
  { title: "CALL", cell: ({ primitive }) => primitive },
  { title: "LABEL", cell: ({ label }) => oneLine(label, LABEL_LENGTH), cut: "end" },
  { title: "MODE", cell: ({ mode }) => mode },
  {
    title: "PROVIDER",
    cell: ({ provider, model }) => (model === "" ? provider : `${provider} ${oneLine(model)}`),
  },
  {
    title: "PROMPT",
    cell: ({ prompt, state, note }) =>
      state === "refused" ? `REFUSED: ${oneLine(note ?? "")}` : prompt,
    cut: "end",
    format: ({ state }) => (state === "refused" ? "red" : undefined),
  },
];

export function dryRunText(report: DryRun, options: TableOptions): string {
  const { calls, phases, drops, warnings, notes } = report;
  const shown = calls.slice(0, SHOWN_CALLS);
  const nested = calls.some(({ workflow }) => workflow !== undefined);
  const columns = nested ? [...COLUMNS.slice(0, 1), WORKFLOW, ...COLUMNS.slice(1)] : COLUMNS;
  const left = calls.length - shown.length;
  return [
    `Dry run of ${report.script}: ${STATES[report.state]}; nothing else was run.`,
    ...(phases.length === 0 ? [] : ["", "Phases:", ...phases.map(phaseLine)]),
    "",
    ...(calls.length === 0 ? ["The script makes no calls."] : tableLines(shown, columns, options)),
    ...(left > 0 ? [`… ${counted(left, "more call")}; --json has all of them`] : []),
    "",
    ...forecastLines(report.forecast),
    ...drops.map(({ label, error }) => `Dropped: ${oneLine(label)}: ${oneLine(error)}`),
    ...calls.flatMap(stubNote),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...notes.map((note) => `Note: ${note}`),
  ].join("\n");
}

const WORKFLOW: Column<DryCall> = {
  title: "WORKFLOW",
  cell: ({ workflow = "" }) => workflow,
  cut: "end",
};

function phaseLine({ name, declared, entered, calls }: DryPhase): string {
  const shown = oneLine(name);
  if (!entered) return `- ${shown}: never entered`;
  return `- ${shown}: ${counted(calls, "call")}${declared ? "" : " (not in meta)"}`;
}

function stubNote({ label, primitive, state, note }: DryCall): readonly string[] {
  if (state === "refused" || note === undefined) return [];
  return [`Note: ${oneLine(label) || primitive}: ${oneLine(note)}`];
}

function forecastLines(forecast: Forecast): readonly string[] {
  const { agents, checks, manual_gates } = forecast;
  const byProvider = [...Map.groupBy(forecast.groups, ({ provider }) => provider)].map(
    ([provider, groups]) => `${groups.reduce((sum, group) => sum + group.agents, 0)} ${provider}`,
  );
  const others = [
    ...(checks > 0 ? [`, ${counted(checks, "check")}`] : []),
    ...(manual_gates > 0 ? [`, ${counted(manual_gates, "gate")} for a person`] : []),
  ];
  const who = byProvider.length === 0 ? "" : ` (${byProvider.join(", ")})`;
  return [
    `Forecast: ${counted(agents, "agent")}${who}${others.join("")}`,
    ...(agents === 0 ? [] : [costLine(forecast), tokensLine(forecast)]),
  ];
}

function costLine({ agents, agents_with_cost, cost_usd }: Forecast): string {
  if (cost_usd === null) return "Cost: unknown; no earlier run says what such agents cost";
  return `Cost: about $${cost_usd.toFixed(2)}${ofHowMany(agents_with_cost, agents)}`;
}

function tokensLine({ agents, agents_with_tokens, input_tokens, output_tokens }: Forecast): string {
  if (input_tokens === null) return "Tokens: unknown; no earlier run says what such agents use";
  const text = `${grouped(input_tokens)} in, ${grouped(output_tokens ?? 0)} out`;
  return `Tokens: about ${text}${ofHowMany(agents_with_tokens, agents)}`;
}

function ofHowMany(known: number, all: number): string {
  if (known === all) return ", as such agents did in earlier runs";
  return ` for ${known} of ${counted(all, "agent")}, as such did in earlier runs; the others are unknown`;
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
