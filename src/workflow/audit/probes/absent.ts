import type { Bench } from "../bench.ts";
import { absent, isAbsent, says, unmet } from "../holds.ts";

/**
 * The probe of what this version lacks. The day it has the command, the requirement counts as failed
 * until somebody writes a probe that tries it.
 * @param command words behind `pallium`.
 * @param reason a sentence.
 */
export function absentUntil(command: string, reason: string) {
  return async (bench: Bench): Promise<string> => {
    if (await isThere(bench, command)) {
      throw unmet(`pallium ${command} is there, and the audit has no probe that tries it`);
    }
    throw absent(reason);
  };
}

/** The help of a group answers for a word that names no command of it. */
async function isThere(bench: Bench, command: string): Promise<boolean> {
  try {
    const help = await bench.text([...command.split(" "), "--help"]);
    says(help, "Usage:");
    return help.includes(`pallium ${command}`);
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
