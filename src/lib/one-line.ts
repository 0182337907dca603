const LONGEST = 200;

/** Text as one short line: what scripts, tasks and agents chose must not break a list. */
export function oneLine(text: string, longest = LONGEST): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
