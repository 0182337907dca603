/** Lines of settings in a text that can be of anything, such as what a command printed. */

/** Line numbers and marks that programs put before lines, then words that set a name. */
const BEFORE =
  /^(?:[ \t]*\d{1,6}(?:\t|→|[:|-]) ?)?[ \t>+|-]{0,40}(?:(?:export|ENV|ARG|set)[ \t]+)?(?:[A-Za-z][\w.-]*)?$/;
const HEADER = /(?:-H|--header|header)[ =]['"]?(?:[A-Za-z][\w.-]*)?$/i;
/** Names that only a blank parts from their values. */
const BLANK = /^[ \t\d→>+|-]*(?:ENV|ARG|setenv)[ \t]+[\w.-]*$|\blogin[ \t]+\S{1,30}[ \t]+[\w.-]*$/;
const AFTER = /^["']?[ \t]*(?:#.*)?(?:\r?\n|$)/;
const QUOTE_AFTER = /^['"`]/;
const LONGEST = 200;

export interface SettingPlace {
  /** Where the name begins that is given a value, as far as it is known to tell. */
  readonly nameStart: number;
  readonly valueEnd: number;
  readonly isFlag: boolean;
}

/** Whether a name and its bare value stand as they do in files of settings, headers and on command lines. */
export function isSetting(text: string, { nameStart, valueEnd, isFlag }: SettingPlace): boolean {
  if (isFlag) return true;
  const before = lineBefore(text, nameStart);
  const after = text.slice(valueEnd, valueEnd + LONGEST);
  if (HEADER.test(before)) return QUOTE_AFTER.test(after) || AFTER.test(after);
  if (QUOTE_AFTER.test(after)) return standsAlone(before.slice(lastQuote(before) + 1));
  return AFTER.test(after) && standsAlone(before);
}

function standsAlone(before: string): boolean {
  return BEFORE.test(before) || BLANK.test(before);
}

function lastQuote(text: string): number {
  return Math.max(...["'", '"', "`"].map((quote) => text.lastIndexOf(quote)));
}

/** Whether a name is one that only a blank parts from its value. */
export function isBlankSetting(text: string, nameStart: number): boolean {
  const before = lineBefore(text, nameStart);
  return BLANK.test(before) || BLANK.test(before.slice(lastQuote(before) + 1));
}

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST), at);
  return before.slice(before.lastIndexOf("\n") + 1);
}
