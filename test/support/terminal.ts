import { cliHome } from "./cli.ts";

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Told all that was sent so far whenever there is more, and how to type. */
  readonly onData?: (screen: string, type: (keys: string) => void) => void;
}

/** Runs a command on a terminal of its own; resolves with all that the terminal was sent. */
export async function onTerminal(
  command: readonly string[],
  options: TerminalOptions = {},
): Promise<string> {
  await using home = await cliHome();
  const decoder = new TextDecoder();
  let screen = "";
  const child = Bun.spawn([...command], {
    cwd: options.cwd ?? home.directory,
    env: { ...home.env, TERM: "xterm-256color", ...options.env },
    terminal: {
      cols: options.columns ?? 80,
      rows: 24,
      data: (terminal, chunk) => {
        screen += decoder.decode(chunk, { stream: true });
        options.onData?.(screen, (keys) => terminal.write(keys));
      },
    },
  });
  await child.exited;
  child.terminal?.close();
  return screen.replaceAll("\r\n", "\n");
}

/** The colours and styles out of a text. */
export function plain(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
}
