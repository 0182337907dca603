// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Text that a terminal shows and does not obey: control characters other than tab and line ends
 * are written out, such as `\x1b`. Agents and scripts choose much of what is printed.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
