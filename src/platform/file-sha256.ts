import { systemCode } from "./file-error.ts";
import { runningSha256 } from "./hash.ts";

/** SHA-256 of a file's bytes, in hexadecimal; `undefined` where there is none that can be read. */
export async function fileSha256(path: string): Promise<string | undefined> {
  const hash = runningSha256();
  try {
    for await (const piece of Bun.file(path).stream()) hash.update(piece);
    return hash.hex();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
