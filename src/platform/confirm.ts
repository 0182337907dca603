/** A question to whoever sits at the terminal. */
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import { printable } from "../lib/printable.ts";

const STDIN = 0;
const STDERR = 2;
const YES = /^\s*y(?:es)?\s*$/i;

/**
 * Asks on stderr and waits for a line; anything but `y` or `yes` is no, as is the end of the input.
 * @returns `undefined` where stdin or stderr is no terminal.
 * @throws the reason of the signal, when it is aborted.
 */
export async function confirmOnTerminal(
  question: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (!isatty(STDIN) || !isatty(STDERR)) return undefined;
  // Not as a terminal: it would take Ctrl-C for itself.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const close = () => lines.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once("close", () => resolve(""));
      lines.question(`${printable(question)} [y/N] `, resolve);
    });
    signal.throwIfAborted();
    return YES.test(answer);
  } finally {
    signal.removeEventListener("abort", close);
    lines.close();
  }
}
