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

/** Resolves once a file holds a text; its directory must exist. */
export function textAppears(path: string, text: string): Promise<void> {
  return changedUntil(path, () => existsSync(path) && readFileSync(path, "utf8").includes(text));
}

/** Resolves once a file of the directory, at any depth, makes it true. */
export function changesUntil(directory: string, isReached: () => boolean): Promise<void> {
  return watchUntil(directory, isReached, { recursive: true });
}

function changedUntil(path: string, isReached: () => boolean): Promise<void> {
  return watchUntil(dirname(path), isReached, {});
}

function watchUntil(
  directory: string,
  isReached: () => boolean,
  options: { readonly recursive?: boolean },
): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(directory, options, look);
    function look(): void {
      if (!isReached()) return;
      watcher.close();
      resolve();
    }
    look();
  });
}
