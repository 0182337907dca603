import { dirname, join } from "node:path";
import { exists } from "../files.ts";

/** Top of the working tree around an absolute folder, found without git; the folder itself outside of one. */
export async function workingTreeTop(folder: string): Promise<string> {
  for (let top = folder; ; top = dirname(top)) {
    if (await exists(join(top, ".git"))) return top;
    if (dirname(top) === top) return folder;
  }
}
