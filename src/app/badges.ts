import type { Badges } from "../cli/printer.ts";

/** Loads consola, which is too slow to load for a command that prints nothing with it. */
export async function loadBadges(): Promise<Badges> {
  const { createConsola, LogLevels } = await import("consola");
  const log = createConsola({
    level: LogLevels.info,
    throttle: 0,
    formatOptions: { date: false, compact: true, colors: true },
    stdout: process.stderr,
    stderr: process.stderr,
  });
  return { warn: (line) => log.warn(line), notice: (line) => log.info(line) };
}
