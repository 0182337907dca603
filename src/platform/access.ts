import { stat } from "node:fs/promises";
import { systemCode } from "./file-error.ts";

/** Who may do what with a file or folder: the nine bits of its mode; `undefined` where there is none. */
export async function accessBits(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
