/** Where a secret is; what it is never leaves the scanner. */
export interface SecretFinding {
  /** Kind of secret, such as `openai-key`. */
  readonly rule: string;
  readonly file: string;
  /** Of the new file, from 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
}

/** `binary`: its content is not in the patch; `merge`: the patch shows more than one parent. */
export const SKIP_REASONS = ["binary", "too_large", "merge"] as const;

/** Something that was not looked at, or not to its end. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: (typeof SKIP_REASONS)[number];
}

export interface SecretScan {
  /** In the order of the files, then of the lines. */
  readonly findings: readonly SecretFinding[];
  readonly skipped: readonly SkippedFile[];
}

/** A secret in a text, by offsets in characters. */
export interface Match {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}
