/** Files below /proc, as proc(5) describes them. */
import { readFileSync } from "node:fs";
import { systemCode } from "../file-error.ts";

/** What reading a file of a process meets that is gone or not ours. */
const UNREADABLE = ["ENOENT", "ESRCH", "EACCES", "EPERM"];

/** What `look` gives; `undefined` when the process is gone or not ours to look at. */
export function unlessHidden<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (UNREADABLE.includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Content of a file below /proc, a character for each byte; `undefined` as `unlessHidden` has it. */
export function readProc(path: string): string | undefined {
  return unlessHidden(() => readFileSync(`/proc/${path}`, "latin1"));
}

/** Fields of a process's `stat` file by their numbers in proc(5), from the third on. */
export function statFields(pid: number): ((number: number) => string) | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the command's name in parentheses, which may itself hold spaces and ")".
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (number) => fields[number - 3] ?? "";
}
