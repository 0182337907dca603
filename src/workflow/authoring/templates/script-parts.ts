/** Text that several of our own scripts begin with. */

/** Repository memory helps a script; without an index or a history it goes on, and says so. */
export const IF_KNOWN = `async function ifKnown(what, question) {
  try {
    return await question;
  } catch (error) {
    log(what + " is left out: " + error.message);
    return null;
  }
}`;

/** What agents are told of a preflight: its lists, not its prose. */
export const BRIEFING = `const briefing = JSON.stringify({
  files_to_inspect: preflight?.files_to_inspect ?? [],
  risks: preflight?.risk_summary ?? [],
  test_commands: preflight?.test_commands ?? [],
});`;

/** The schema of a list of texts. */
export const TEXTS = `const TEXTS = { type: "array", items: { type: "string" } };`;
