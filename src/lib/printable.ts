// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text that a terminal shows and does not obey: control characters other than tab and newline are
 * written out as `\x1b`. Agents and scripts choose much of what is printed.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
