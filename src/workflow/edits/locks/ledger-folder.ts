/** Where a repository keeps who edits it; light enough for every command to look. */
import { join } from "node:path";
import { exists } from "../../../platform/files.ts";

/** @param commonDir absolute git directory that its working trees share. */
export function ledgerFolder(commonDir: string): string {
  return join(commonDir, "pallium");
}

/** The database with who edits a repository; missing where nobody ever did. */
export function ledgerFile(commonDir: string): string {
  return join(ledgerFolder(commonDir), "edits.sqlite");
}

/** A file that is there while a change to a checkout is on record. */
export function unfinishedMarker(commonDir: string): string {
  return join(ledgerFolder(commonDir), "unfinished");
}

/** Whether something may be unfinished in a repository; costs one look at a file. */
export function mayBeUnfinished(commonDir: string): Promise<boolean> {
  return exists(unfinishedMarker(commonDir));
}
