/** `go test -json`: one event per line, the plain output inside. */
import { isRecord, parseJson } from "../json.ts";

interface GoEvent {
  readonly unit: string;
  readonly test: string;
  readonly output: string;
}

function goEvent(line: string): GoEvent | undefined {
  if (!line.startsWith("{") || !line.includes('"Action":')) return undefined;
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  const unit = event.Package ?? event.ImportPath;
  if (typeof unit !== "string") return undefined;
  return {
    unit,
    test: typeof event.Test === "string" ? event.Test : "",
    output: typeof event.Output === "string" ? event.Output : "",
  };
}

/** The events' output, which may be interleaved, is put in order by package; other lines stay. */
export function unwrapGoEvents(lines: readonly string[]): readonly string[] {
  const others: string[] = [];
  const units = new Map<string, { test: string; text: string[] }>();
  for (const line of lines) {
    const event = goEvent(line);
    if (event === undefined) {
      others.push(line);
      continue;
    }
    const unit = units.get(event.unit) ?? { test: "", text: [] };
    units.set(event.unit, unit);
    if (event.test !== "" && event.test !== unit.test) unit.text.push(`=== NAME  ${event.test}\n`);
    unit.test = event.test;
    unit.text.push(event.output);
  }
  if (units.size === 0) return lines;
  for (const unit of units.values()) {
    for (const line of unit.text.join("").split("\n")) others.push(line);
  }
  return others;
}
