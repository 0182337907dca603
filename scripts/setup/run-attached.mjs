import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/**
 * Sent by the terminal to every process of its foreground group.
 * @type {readonly NodeJS.Signals[]}
 */
const OF_THE_TERMINAL = ["SIGINT", "SIGQUIT"];

/**
 * Signals that Node.js ignores, or takes as a request to start its debugger.
 * @type {readonly NodeJS.Signals[]}
 */
const SURVIVED = ["SIGPIPE", "SIGUSR1", "SIGXFSZ"];

/** Process group of this process, and the one in the foreground of its terminal. */
function groups() {
  if (process.platform === "linux") {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { own: fields[2], foreground: fields[5] };
  }
  const columns = ["-o", "pgid=", "-o", "tpgid=", "-p", String(process.pid)];
  const line = spawnSync("ps", columns, { encoding: "utf8" }).stdout.trim();
  const [own, foreground] = line.split(/\s+/);
  return { own, foreground };
}

/**
 * In the terminal's foreground the child got the signal already; again, it would be a second Ctrl-C.
 * @param {NodeJS.Signals} signal
 */
function childHasItAlready(signal) {
  if (!OF_THE_TERMINAL.includes(signal)) return false;
  const { own, foreground } = groups();
  return own === foreground;
}

/**
 * Runs a command in this process's place: same terminal, streams and directory, signals passed on.
 * A command that died of a signal ends this process by the same one, or, where Node.js does not die of
 * it, with the status that a shell gives it.
 * @param {readonly [string, ...string[]]} command The program and its arguments.
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} The exit status.
 */
export function runAttached([program, ...args], { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      if (!childHasItAlready(signal)) child.kill(signal);
    };
    // Before the child: it can tell others that it runs before this process goes on.
    for (const signal of FORWARDED) process.on(signal, forward);
    const child = spawn(program, args, { stdio: "inherit", env });
    child.on("error", reject);
    child.on("exit", (status, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      if (signal !== null && !SURVIVED.includes(signal)) process.kill(process.pid, signal);
      resolve(signal === null ? (status ?? 1) : 128 + constants.signals[signal]);
    });
  });
}

/**
 * The environment without the variables that change what a Bun program does.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutBunVariables(env) {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _mode, ...rest } = env;
  return rest;
}

/** Arguments for Bun that keep it from reading `.env` and `bunfig.toml` of the current directory. */
export const BUN_CONFINED = ["--config=/dev/null", "--no-env-file"];
