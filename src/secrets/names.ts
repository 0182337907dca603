/** Words that say of a value that it is secret. */

const KEYS = "api access auth private signing encryption account master".split(" ");
const OTHERS = "password passwd passphrase pwd secret token credential bearer".split(" ");

/** In lower case; in texts their case does not count. None is the beginning of another. */
export const NAMES: readonly string[] = [
  ...OTHERS,
  ...KEYS.flatMap((kind) => ["", "_", "-"].map((mark) => `${kind}${mark}key`)),
];

/** Where one stands in a text, by offsets in characters. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
}
