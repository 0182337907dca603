import { printable } from "../../../lib/printable.ts";
import type { NearbyMessage } from "../../../sessions/search/context.ts";
import type { Snippet } from "../../../sessions/search/snippet.ts";
import { styled } from "../../colours.ts";
import { speaker } from "./speaker.ts";

/** How words that were asked for are shown. */
export type Highlight = (text: string) => string;

export const asItIs: Highlight = (text) => text;
export const inBold: Highlight = (text) => styled("bold", text);

export function highlighted({ snippet, matches }: Snippet, highlight: Highlight): string {
  const characters = [...snippet];
  const between = (from: number, to?: number) => printable(characters.slice(from, to).join(""));
  let at = 0;
  const pieces = matches.map(([start, end]) => {
    const piece = between(at, start) + highlight(between(start, end));
    at = end;
    return piece;
  });
  return pieces.join("") + between(at);
}

/** Lines of what was said before or after a hit, further in than the hit itself. */
export function nearbyLines(messages: readonly NearbyMessage[] = []): readonly string[] {
  return messages.map(
    ({ line_no: line, role, kind, snippet }) =>
      `    [${line}] ${speaker(role, kind)}: ${printable(snippet)}`,
  );
}
