/** A line of a crontab. Pure. */
import { PalliumError } from "../../../lib/errors.ts";
import { shellQuote } from "../../../repo/verification/display.ts";
import type { WatchJob } from "./watch-job.ts";

/** Ends our line, by which it is found again; a comment for the shell. */
const MARK = "# pallium triggers";
/** Many a cron cuts a command that is longer. */
const LONGEST_COMMAND = 998;

/** Looks once a minute. @throws PalliumError `trigger_install` for a command that cron would cut. */
export function cronLine({ argv, environment, log }: WatchJob): string {
  const words = [
    ...Object.entries(environment).map(([name, value]) => `${name}=${shellQuote(value)}`),
    ...argv.map(shellQuote),
    ">/dev/null",
    `2>>${shellQuote(log)}`,
    MARK,
  ];
  const command = words.join(" ").replaceAll("%", "\\%");
  if (command.length <= LONGEST_COMMAND) return `* * * * * ${command}`;
  throw new PalliumError("trigger_install", "the line is too long for a crontab", {
    hints: ["set a shorter PATH and try again, or use --as systemd"],
  });
}

/** A crontab with our line as its last, or without it. */
export function changedCrontab(crontab: string, line: string | undefined): string {
  const others = crontab.split("\n").filter((other) => other !== "" && !isOurs(other));
  const lines = line === undefined ? others : [...others, line];
  return lines.map((one) => `${one}\n`).join("");
}

export function hasLine(crontab: string): boolean {
  return crontab.split("\n").some(isOurs);
}

function isOurs(line: string): boolean {
  return line.endsWith(MARK) && !line.trimStart().startsWith("#");
}
