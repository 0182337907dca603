/** What every failure of pallium carries: a stable code, one sentence, and what to do next. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
}

export interface ErrorOptions {
  readonly hints?: readonly string[];
  readonly cause?: unknown;
  /** Exit status of the command that fails with it: 1 failed, 2 usage. */
  readonly exitCode?: number;
  /** Ends a whole workflow run, where others end one call of it. */
  readonly fatal?: boolean;
}

/**
 * The one error class of the product. Code that can say what went wrong throws it; everything
 * else that reaches the process edge is a defect and is reported as `internal_error`.
 */
export class PalliumError extends Error {
  override readonly name = "PalliumError";
  readonly code: string;
  readonly hints: readonly string[];
  readonly exitCode: number;
  readonly fatal: boolean;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hints = options.hints ?? [];
    this.exitCode = options.exitCode ?? 1;
    this.fatal = options.fatal ?? false;
  }
}

/** An error of the command line itself (unknown flag, missing argument): exit status 2. */
export function usageError(message: string, ...hints: string[]): PalliumError {
  return new PalliumError("usage", message, { hints, exitCode: 2 });
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Reduces anything that was thrown to code, message and hints; unknown throws become `internal_error`. */
export function errorData(thrown: unknown): ErrorData {
  if (thrown instanceof PalliumError) {
    return { code: thrown.code, message: thrown.message, hints: thrown.hints };
  }
  return { code: "internal_error", message: messageOf(thrown), hints: [] };
}
