/** A failure the user can mend: one sentence, then what to do next. */
export class SetupProblem extends Error {
  /**
   * @param {string} message
   * @param {...string} hints
   */
  constructor(message, ...hints) {
    super(message);
    this.name = "SetupProblem";
    this.hints = hints;
  }
}

/**
 * The `code` of an error of Node.js; `undefined` for anything else that was thrown.
 * @param {unknown} thrown
 * @returns {string | undefined}
 */
export function codeOf(thrown) {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/**
 * Runs a script's main function and ends the process with the status it resolves with. A
 * SetupProblem is printed as its message and hints, status 1; anything else is a defect and throws.
 * @param {() => Promise<number>} main
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    console.error(`error: ${error.message}`);
    for (const hint of error.hints) console.error(`  hint: ${hint}`);
    process.exitCode = 1;
  }
}
