/** What agents print, line by line, each with the name of its agent. */
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import { shownText } from "../../lib/shown-text.ts";
import type { LogLine } from "../../workflow/live/logs.ts";
import { type Format, styled } from "../colours.ts";

export interface LogViewOptions {
  /** Whether lines of different agents have to be told apart. */
  readonly several: boolean;
  /** A terminal gets nothing that it would obey; everybody else what the agent printed. */
  readonly terminal: boolean;
  readonly colours: boolean;
}

export interface LogView {
  /** Whether its texts hold colours, and nothing else that a terminal would obey. */
  readonly coloured: boolean;
  text(line: LogLine): string;
}

const NAME_COLOURS: readonly Format[] = ["cyan", "green", "yellow", "bold"];

export function createLogView({ several, terminal, colours }: LogViewOptions): LogView {
  const formats = new Map<string, Format>();
  const formatOf = (name: string): Format => {
    const next = NAME_COLOURS[formats.size % NAME_COLOURS.length] ?? "cyan";
    const format = formats.get(name) ?? next;
    formats.set(name, format);
    return format;
  };
  const paint = (format: Format, text: string) => (colours ? styled(format, text) : text);
  const prefix = ({ name, stream }: LogLine): string => {
    const bar = stream === "stderr" ? paint("red", "!") : paint("dim", "|");
    return several ? `${paint(formatOf(name), printable(oneLine(name)))} ${bar} ` : "";
  };
  return {
    coloured: colours,
    text: (line) => `${prefix(line)}${terminal ? shownText(line.text) : line.text}${cutMark(line)}`,
  };
}

function cutMark({ omitted_bytes }: LogLine): string {
  return omitted_bytes === undefined ? "" : ` [truncated ${omitted_bytes} bytes]`;
}
