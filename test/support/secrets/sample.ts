/** A secret that never was, in the text of a file. */
export interface Sample {
  /** Relative path that says what the text is. */
  readonly file: string;
  /** Whole lines, without the newline of the last. */
  readonly text: string;
  /** What must not leave the scanner. */
  readonly secret: string;
}

/** Where a secret stands: a file's path, and what its line has before and after it. */
export type Around = readonly [file: string, before: string, after: string];
