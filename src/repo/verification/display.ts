/** Commands as a line that a user can paste into a shell. */
import type { Plan, PlannedCommand } from "./types.ts";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** One word for a POSIX shell; one with control characters in the form that bash, ksh and zsh read. */
export function shellQuote(word: string): string {
  if (PLAIN.test(word)) return word;
  return CONTROL.test(word) ? ansiQuote(word) : `'${word.replaceAll("'", "'\\''")}'`;
}

function ansiQuote(word: string): string {
  let text = "";
  for (const character of word) {
    if (character === "'" || character === "\\") text += `\\${character}`;
    else if (CONTROL.test(character)) text += escaped(character);
    else text += character;
  }
  return `$'${text}'`;
}

function escaped(character: string): string {
  return [...Buffer.from(character, "utf8")]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}

/** The line to paste at the root of the repository. */
export function display({ argv, cwd }: Pick<PlannedCommand, "argv" | "cwd">): string {
  const [program = "", ...rest] = argv;
  if (cwd === "") return argv.map(shellQuote).join(" ");
  const folder = shellQuote(cwd.startsWith("-") ? `./${cwd}` : cwd);
  if (program === "make") return ["make", "-C", folder, ...rest.map(shellQuote)].join(" ");
  return `(cd ${folder} && ${argv.map(shellQuote).join(" ")})`;
}

/** A plan as reports show it. */
export function displayPlan({ fast, safe, full }: Plan): Record<keyof Plan, string[]> {
  return { fast: fast.map(display), safe: safe.map(display), full: full.map(display) };
}
