/** A user unit of systemd. Pure. */
import type { WatchJob } from "./watch-job.ts";

export const UNIT = "pallium-triggers.service";

/** 128 + SIGTERM, with which the watch ends when its service is stopped. */
const STOPPED = 143;

/** Runs that it started are processes of their own, which its end must not end: `KillMode=process`. */
export function systemdUnit({ argv, environment }: WatchJob): string {
  const [program = "", ...args] = startable(argv);
  const variables = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
  return [
    "[Unit]",
    "Description=pallium: start workflows when their triggers are due",
    "",
    "[Service]",
    `ExecStart=${[quoted(program), ...args.map(argument)].join(" ")}`,
    ...variables.map((variable) => `Environment=${variable}`),
    "KillMode=process",
    `SuccessExitStatus=${STOPPED}`,
    "Restart=on-failure",
    "RestartSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** A program whose path systemd takes for none: it refuses quotes and backslashes in it. */
function startable(argv: readonly string[]): readonly string[] {
  return /["'\\]/.test(argv[0] ?? "") ? ["/bin/sh", "-c", 'exec "$@"', "sh", ...argv] : argv;
}

/** Quotes end a word, backslashes escape, and percent signs stand for something else. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** In arguments a dollar sign names a variable too; in the program and in values it does not. */
function argument(text: string): string {
  return quoted(text).replaceAll("$", "$$$$");
}
