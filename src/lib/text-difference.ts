/** Where two texts part, in words. */

/** Characters shown of each text from there on. */
const SHOWN = 24;

/** Such as `first difference at character 7 ("auth" → "billing")`; the texts must differ. */
export function describeDifference(before: string, after: string): string {
  const at = firstDifference(before, after);
  return `first difference at character ${at + 1} (${excerpt(before, at)} → ${excerpt(after, at)})`;
}

function firstDifference(before: string, after: string): number {
  const end = Math.min(before.length, after.length);
  let at = 0;
  while (at < end && before[at] === after[at]) at += 1;
  return at > 0 && isHighSurrogate(before.charCodeAt(at - 1)) ? at - 1 : at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function excerpt(text: string, from: number): string {
  const end = from + SHOWN;
  if (text.length <= end) return JSON.stringify(text.slice(from));
  const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
  return JSON.stringify(`${text.slice(from, whole)}…`);
}
