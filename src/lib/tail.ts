/** Room for the mark that says how much was cut. */
const MARK_SIZE = 40;

/**
 * The last characters of a text from the start of a line, with a mark for what is missing.
 * @param lost how many characters the text has lost before.
 */
export function tailOf(text: string, limit: number, lost = 0): string {
  if (text.length <= limit) return text;
  const start = text.length - (limit - MARK_SIZE);
  const nextLine = text.indexOf("\n", start - 1) + 1;
  const cut = nextLine > 0 && nextLine < text.length ? nextLine : start;
  return `[… ${cut + lost} characters cut …]\n${text.slice(cut)}`.toWellFormed();
}
