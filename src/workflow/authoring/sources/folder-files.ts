import { join, sep } from "node:path";
import { readRegularFile } from "../../../platform/bounded-read.ts";
import { exists, listFiles, realPath } from "../../../platform/files.ts";
import { MOST_BYTES, type PackFiles } from "./pack-files.ts";

/** @param root absolute, without links. */
export function folderFiles(root: string): PackFiles {
  return {
    list: async (folder) => (await listFiles(join(root, folder))).toSorted(),
    read: async (path) => {
      const named = join(root, path);
      if (!(await exists(named))) return undefined;
      const real = await realPath(named);
      if (!real.startsWith(root === sep ? sep : root + sep)) return undefined;
      return (await readRegularFile(real, MOST_BYTES))?.toString("utf8");
    },
  };
}
