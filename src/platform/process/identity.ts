import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { PalliumError } from "../../lib/errors.ts";
import { processTable } from "./table.ts";

/**
 * What tells one process from every other, also after its pid was given to another one, after a
 * reboot, and seen from another container or machine. All fields are plain data that can be stored.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation. */
  readonly startTime: string;
  readonly bootId: string;
  /** Name of the pid namespace; empty where the system has none. */
  readonly pidNamespace: string;
  readonly host: string;
}

function surroundings(): Pick<ProcessIdentity, "bootId" | "pidNamespace" | "host"> {
  if (process.platform === "darwin") {
    const boot = Bun.spawnSync(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]);
    return { bootId: boot.stdout.toString().trim(), pidNamespace: "", host: hostname() };
  }
  return {
    bootId: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    pidNamespace: readlinkSync("/proc/self/ns/pid"),
    host: hostname(),
  };
}

/** The identity of a process of this host and namespace; `undefined` when it does not live. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const row = processTable.row(pid);
  if (row === undefined || !row.alive) return undefined;
  return { pid, startTime: row.startTime, ...surroundings() };
}

/** The identity of this very process. */
export function ownIdentity(): ProcessIdentity {
  const own = identityOf(process.pid);
  if (own === undefined) {
    throw new PalliumError("process_table", "the system does not list this very process", {
      hints: ["mount /proc: processes are told apart by it"],
    });
  }
  return own;
}

/**
 * Whether that very process still lives; a zombie does not. `"elsewhere"` when it belongs to
 * another host or pid namespace and cannot be judged from here.
 */
export function isAlive(identity: ProcessIdentity): boolean | "elsewhere" {
  const here = surroundings();
  // A host can get another name while it runs, as laptops do with every network.
  if (identity.bootId !== here.bootId) return identity.host === here.host ? false : "elsewhere";
  if (identity.pidNamespace !== here.pidNamespace) return "elsewhere";
  const row = processTable.row(identity.pid);
  return row?.alive === true && row.startTime === identity.startTime;
}
