const LONGEST = 200;

/**
 * Text as one short line: what scripts, tasks and agents chose must not break a list.
 * @param longest in characters, the last of which is `…` where something was cut.
 */
export function oneLine(text: string, longest = LONGEST): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line.length <= longest) return line;
  // A character may take two units of the text.
  const begun = [...line.slice(0, 2 * longest + 2)];
  return begun.length <= longest ? line : `${begun.slice(0, longest - 1).join("")}…`;
}
