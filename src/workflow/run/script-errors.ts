/** How the errors of scripts are put on record. Pure. */

/** The message of a script's error, with where in the script it was. */
export function positioned(error: { message: string; line?: number; column?: number }): string {
  const message = spoken(error.message, "run");
  return error.line === undefined
    ? message
    : `${message} (line ${error.line}, column ${error.column ?? 1})`;
}

/** Scripts can throw what has no text; a failure never goes on record without one. */
export function spoken(message: string, what: string): string {
  return message.trim() === "" ? `${what} failed with no error message captured` : message;
}
