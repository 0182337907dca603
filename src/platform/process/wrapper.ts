import { join } from "node:path";

/** Where the wrapper writes its pid, which is also the id of the call's group and session. */
export function pidFile(dir: string): string {
  return join(dir, "pid");
}

/** Where the wrapper writes the exit status once the command has ended. */
export function exitFile(dir: string): string {
  return join(dir, "exit");
}

/** There once somebody set out to end the command. */
export function cutFile(dir: string): string {
  return join(dir, "cut");
}

// The traps let the wrapper outlive a signal to the group, so that it can still write the status;
// traps, unlike ignored signals, are not inherited by the command, and before them a signal still
// keeps the command from starting. `echo` writes its line at once: a reader sees an empty file or
// all of it. Without a pid on file a call could not be resumed.
// The shell's own remarks, such as "Terminated", stay out of the command's stderr.
// An exported SHELLOPTS would have bash leave at the command's failure, before the status is on file.
const SCRIPT = `set +e
(umask 077; echo "$$" >"$1/pid") || exit 126
pallium_call_dir=$1
shift
exec 3>&2 2>/dev/null
trap : TERM INT HUP
(exec "$@" 2>&3 3>&-)
status=$?
umask 077
echo "$status" >"$pallium_call_dir/exit"`;

/**
 * The command line that runs `argv` and leaves its pid and exit status in `dir`, even when the
 * process that started it dies meanwhile. `argv[0]` is absolute, lest the shell takes it for one
 * of its own commands.
 */
export function wrapped(dir: string, argv: readonly string[]): string[] {
  return ["/bin/sh", "-c", SCRIPT, "sh", dir, ...argv];
}
