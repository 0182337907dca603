/** `workflow trigger install`: has a service manager run the watch, from now on and after a restart. */
import { dirname, join } from "node:path";
import { parseDuration } from "../../../lib/duration.ts";
import { PalliumError, usageError } from "../../../lib/errors.ts";
import { oneLine } from "../../../lib/one-line.ts";
import {
  ensurePrivateDir,
  exists,
  removeIfThere,
  writeFileDurable,
} from "../../../platform/files.ts";
import { capture } from "../../../platform/process/capture.ts";
import { findExecutable } from "../../../platform/process/executable.ts";
import { shellQuote } from "../../../repo/verification/display.ts";
import type { RunObserver, WorkflowPowers } from "../../powers.ts";
import type { StoreRequest } from "../../with-store.ts";
import type { ServiceManager, TriggerService, WatchKind } from "../types.ts";
import { changedCrontab, cronLine, hasLine } from "./cron.ts";
import { LABEL, launchdPlist } from "./launchd.ts";
import { systemdUnit, UNIT } from "./systemd.ts";
import { watchJob } from "./watch-job.ts";

const DEFAULT_INTERVAL = "30s";
const TIMEOUT_MS = 20_000;
const OUTPUT_LIMIT = 1024 * 1024;
const UNIT_MODE = 0o600;

export interface TriggerInstallRequest extends StoreRequest {
  /** The one that is there without: launchd, else systemd, else cron. */
  readonly as?: ServiceManager;
  /** `all` without. */
  readonly kind?: WatchKind;
  /** `30s` without; cron looks every minute. */
  readonly interval?: string;
  /** Only say what would be written. */
  readonly print?: boolean;
  readonly uninstall?: boolean;
}

/** A manager that is told by a file, and the commands that make it look at it. */
interface FileManager {
  readonly path: string;
  readonly content: string;
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
  /** Once the file is gone. */
  readonly forget: readonly (readonly string[])[];
}

/** @throws PalliumError `usage`, `trigger_install`, `no_home` */
export async function installTriggers(
  powers: WorkflowPowers,
  observer: RunObserver,
  request: TriggerInstallRequest,
): Promise<TriggerService> {
  assertRequest(request, powers);
  const as = request.as ?? managerThere(powers);
  if (as === "cron") return withCrontab(powers, request);
  const manager = fileManager(powers, as, request);
  const { path, content } = manager;
  if (request.print === true) return { as, state: "printed", path, content, to_do: [] };
  if (request.uninstall === true) {
    if (!(await exists(path))) return { as, state: "absent", path, content, to_do: [] };
    const stopped = await runAll(powers, observer, manager.stop);
    await removeIfThere(path);
    const to_do = [...stopped, ...(await runAll(powers, observer, manager.forget))];
    return { as, state: "uninstalled", path, content, to_do };
  }
  await ensurePrivateDir(dirname(path));
  await writeFileDurable(path, content, UNIT_MODE);
  return {
    as,
    state: "installed",
    path,
    content,
    to_do: await runAll(powers, observer, manager.start),
  };
}

function assertRequest(request: TriggerInstallRequest, { environment }: WorkflowPowers): void {
  const { as, interval, print, uninstall } = request;
  if (print === true && uninstall === true) {
    throw usageError("use either --print or --uninstall, not both", "leave one of them out");
  }
  if (as === "cron" && interval !== undefined) {
    throw usageError("cron looks every minute; it takes no --interval", "leave --interval out");
  }
  if (interval !== undefined && parseDuration(interval) === undefined) {
    throw usageError(
      `invalid trigger watch interval ${JSON.stringify(interval)}`,
      "write a length of time, such as --interval 30s",
    );
  }
  if (environment.home === "") {
    throw new PalliumError("no_home", "there is no home directory to install a service in", {
      hints: ["set HOME to an absolute folder"],
    });
  }
}

function managerThere({ environment: { variables, cwd } }: WorkflowPowers): ServiceManager {
  const isThere = (program: string) =>
    findExecutable(program, variables.PATH ?? "", cwd) !== undefined;
  if (isThere("launchctl")) return "launchd";
  return isThere("systemctl") ? "systemd" : "cron";
}

function fileManager(
  powers: WorkflowPowers,
  as: Exclude<ServiceManager, "cron">,
  { db, kind = "all", interval = DEFAULT_INTERVAL }: TriggerInstallRequest,
): FileManager {
  const job = watchJob(powers, { db, kind, interval, once: false });
  const { home, variables } = powers.environment;
  if (as === "launchd") {
    const path = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
    return {
      path,
      content: launchdPlist(job),
      // One that is loaded already is not read again.
      start: [
        ["launchctl", "unload", path],
        ["launchctl", "load", "-w", path],
      ],
      stop: [["launchctl", "unload", "-w", path]],
      forget: [],
    };
  }
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args];
  return {
    path: join(variables.XDG_CONFIG_HOME || join(home, ".config"), "systemd", "user", UNIT),
    content: systemdUnit(job),
    start: [systemctl("daemon-reload"), systemctl("enable", UNIT), systemctl("restart", UNIT)],
    stop: [systemctl("disable", "--now", UNIT)],
    forget: [systemctl("daemon-reload")],
  };
}

/** @returns the commands that failed, for the user to call. */
async function runAll(
  powers: WorkflowPowers,
  { warn }: RunObserver,
  commands: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const argv of commands) {
    const { exitCode, stderr } = await call(powers, argv);
    if (exitCode === 0) continue;
    const command = argv.map(shellQuote).join(" ");
    failed.push(command);
    warn(`${command} failed: ${oneLine(stderr) || `exit status ${exitCode}`}`);
  }
  return failed;
}

async function withCrontab(
  powers: WorkflowPowers,
  { db, kind = "all", print, uninstall }: TriggerInstallRequest,
): Promise<TriggerService> {
  const content = cronLine(watchJob(powers, { db, kind, interval: "", once: true }));
  const report = (state: TriggerService["state"]): TriggerService => {
    return { as: "cron", state, content: `${content}\n`, to_do: [] };
  };
  if (print === true) return report("printed");
  const before = await readCrontab(powers);
  if (uninstall !== true) {
    await writeCrontab(powers, changedCrontab(before, content));
    return report("installed");
  }
  if (!hasLine(before)) return report("absent");
  await writeCrontab(powers, changedCrontab(before, undefined));
  return report("uninstalled");
}

/** Empty for a user who has none. Anything else that keeps it from being read must not empty it. */
async function readCrontab(powers: WorkflowPowers): Promise<string> {
  const { exitCode, stdout, stderr, truncated } = await call(powers, ["crontab", "-l"]);
  if (exitCode === 0 && !truncated) return stdout;
  if (exitCode === 1 && /no crontab/i.test(stderr)) return "";
  throw crontabFailed(stderr);
}

async function writeCrontab(powers: WorkflowPowers, text: string): Promise<void> {
  const { exitCode, stderr } = await call(powers, ["crontab", "-"], text);
  if (exitCode !== 0) throw crontabFailed(stderr);
}

function crontabFailed(stderr: string): PalliumError {
  return new PalliumError("trigger_install", `crontab failed: ${oneLine(stderr)}`, {
    hints: ["see the line with --print and add it yourself: crontab -e"],
  });
}

function call(
  { environment: { cwd, variables } }: WorkflowPowers,
  argv: readonly string[],
  input?: string,
) {
  return capture(argv, {
    cwd,
    env: variables,
    timeoutMs: TIMEOUT_MS,
    outputLimit: OUTPUT_LIMIT,
    ...(input === undefined ? {} : { input }),
  });
}
