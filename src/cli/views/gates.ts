import { oneLine } from "../../lib/one-line.ts";
import type { GateRecord } from "../../workflow/run/types.ts";

export function gatesText(gates: readonly GateRecord[]): string {
  if (gates.length === 0) return "No workflow gates found.";
  return ["Workflow gates:", ...gates.flatMap((gate) => lines(gate, gates))].join("\n");
}

export function decidedGateText({ name, status }: GateRecord): string {
  return status === "open" ? `Workflow gate reopened: ${name}` : `Workflow gate ${status}: ${name}`;
}

/** The id where the name does not tell which gate it is. */
function lines(gate: GateRecord, gates: readonly GateRecord[]): string[] {
  const { id, name, status, message = "", reason = "" } = gate;
  const isUnique = gates.filter((other) => other.name === name).length === 1;
  const words = [name, status, oneLine(message), ...(isUnique ? [] : [`(${id})`])];
  const line = `- ${words.filter((word) => word !== "").join(" ")}`;
  return reason === "" ? [line] : [line, `  reason: ${oneLine(reason)}`];
}
