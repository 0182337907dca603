/** What a sticky pattern finds at an offset. */
export function execAt(sticky: RegExp, text: string, offset: number): RegExpExecArray | null {
  const pattern = new RegExp(sticky);
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
