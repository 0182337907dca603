import { closeSync, constants, ftruncateSync, lstatSync, openSync } from "node:fs";
import { systemCode } from "../file-error.ts";

/** What looking at a file meets that is missing, or that the process made unreachable. */
const OUT_OF_REACH = ["ENOENT", "ENOTDIR", "EACCES"];

/** Bytes of a regular file; 0 for one that is missing or something else, such as a link. */
function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch (error) {
    if (OUT_OF_REACH.includes(systemCode(error) ?? "")) return 0;
    throw error;
  }
}

/** Bytes that files hold together. */
export function totalSize(paths: readonly string[]): number {
  return paths.reduce((total, path) => total + sizeOf(path), 0);
}

/**
 * Cuts files so that together they hold `limit` bytes at most. Small ones are spared: the file
 * that made the total grow is the one that is cut.
 */
export function truncateTo(limit: number, paths: readonly string[]): void {
  const files = paths
    .map((path) => ({ path, size: sizeOf(path) }))
    .sort((left, right) => left.size - right.size);
  let left = limit;
  for (const { path, size } of files) {
    if (size > left) cut(path, left);
    left -= Math.min(size, left);
  }
}

function cut(path: string, size: number): void {
  // The process that wrote the file may have put a link in its place meanwhile.
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    ftruncateSync(file, size);
  } finally {
    closeSync(file);
  }
}
