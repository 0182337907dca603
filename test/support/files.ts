import { existsSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Resolves once a file is there; its directory must exist. */
export function fileAppears(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), look);
    function look(): void {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    }
    look();
  });
}
