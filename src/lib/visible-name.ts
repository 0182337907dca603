/** Control characters, and those that turn the direction of text or cannot be seen. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A file name as it can be read on one line: what would break the line, or make the name look like
 * another, is written out, such as `\u{202e}`.
 */
export function visibleName(name: string): string {
  return name.replace(UNSEEN, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
