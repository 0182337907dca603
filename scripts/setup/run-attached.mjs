import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** Sent by the terminal to every process of its foreground group. */
const OF_THE_TERMINAL = ["SIGINT", "SIGQUIT"];

function groups() {
  if (process.platform === "linux") {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return { own: fields[2], foreground: fields[5] };
  }
  const columns = ["-o", "pgid=,tpgid=", "-p", String(process.pid)];
  const [own, foreground] = spawnSync("ps", columns, { encoding: "utf8" })
    .stdout.trim()
    .split(/\s+/);
  return { own, foreground };
}

/** In the terminal's foreground the child got the signal already; again, it would be a second Ctrl-C. */
function childHasItAlready(signal) {
  if (!OF_THE_TERMINAL.includes(signal)) return false;
  const { own, foreground } = groups();
  return own === foreground;
}

/**
 * Runs a command in this process's place: same terminal, streams and directory, signals passed on.
 * A command that died of a signal ends this process by the same one.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} The exit status.
 */
export function runAttached(command, args, { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env });
    const forward = (signal) => {
      if (!childHasItAlready(signal)) child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on("error", reject);
    child.on("exit", (status, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      if (signal === null) return resolve(status);
      process.kill(process.pid, signal);
    });
  });
}

/** The environment without the variables that change what a Bun program does. */
export function withoutBunVariables(env) {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _mode, ...rest } = env;
  return rest;
}

/** Arguments for Bun that keep it from reading `.env` and `bunfig.toml` of the current directory. */
export const BUN_CONFINED = ["--config=/dev/null", "--no-env-file"];
