import { existsSync, readFileSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Resolves once a file is there, which may be before anything is in it; its directory must exist. */
export function fileAppears(path: string): Promise<void> {
  return changedUntil(path, () => existsSync(path));
}

/** Resolves once a line is in a file; its directory must exist. */
export function lineAppears(path: string): Promise<void> {
  return changedUntil(path, () => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"));
}

function changedUntil(path: string, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), look);
    function look(): void {
      if (!isReached()) return;
      watcher.close();
      resolve();
    }
    look();
  });
}
