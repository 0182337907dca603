import { spawnSync } from "node:child_process";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "./problem.mjs";

const LOOK_MS = 200;
/** What a file system answers that knows no links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * When a process started, in the system's own notation: a pid is given to another process in time.
 * @param {number} pid
 * @returns {string} Empty where there is no such process or the system does not tell.
 */
function startOf(pid) {
  if (process.platform === "linux") {
    const stat = readIfThere(`/proc/${pid}/stat`) ?? "";
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  }
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return (stdout ?? "").trim();
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** @param {number} pid */
function nameOf(pid) {
  return `${pid} ${startOf(pid)}\n`;
}

/**
 * Whether the process that a lock names still lives.
 * @param {string} name
 */
function lives(name) {
  const pid = Number.parseInt(name, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  return name === nameOf(pid);
}

/**
 * Puts a lock there in one step, with the name of this process in it.
 * @param {string} path
 * @returns {boolean} False where it is there already.
 */
function take(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, nameOf(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended. One removes at a time, and looks again before it
 * does: the lock may be somebody else's by then.
 * @param {string} path
 */
function removeDead(path) {
  const removal = `${path}.removal`;
  if (!take(removal)) return;
  try {
    const name = readIfThere(path);
    if (name !== undefined && !lives(name)) rmSync(path);
  } finally {
    rmSync(removal, { force: true });
  }
}

/**
 * Does something while no other process does it under the same lock, waiting for its turn. The lock
 * of a process that has ended is taken over. Where the file system knows no links there is no lock.
 * @template T
 * @param {string} path Of the lock, a file in a folder that can be written.
 * @param {(pid: number) => void} onWait Told once which process is waited for.
 * @param {() => T} work
 * @returns {T}
 */
export function withLock(path, onWait, work) {
  let told = false;
  try {
    while (!take(path)) {
      const name = readIfThere(path);
      if (name === undefined) continue;
      if (lives(name)) {
        if (!told) onWait(Number.parseInt(name, 10));
        told = true;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
      } else removeDead(path);
    }
  } catch (error) {
    if (NO_LINKS.includes(codeOf(error) ?? "")) return work();
    throw error;
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}
