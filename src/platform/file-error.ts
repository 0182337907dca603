import { messageOf, PalliumError } from "../lib/errors.ts";

const FULL = ["ENOSPC", "EDQUOT", "EFBIG"];
const FORBIDDEN = ["EACCES", "EPERM", "EROFS"];

/** The operating system's name of what went wrong, such as `ENOENT`. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

export function isForbidden(thrown: unknown): boolean {
  return FORBIDDEN.includes(systemCode(thrown) ?? "");
}

/**
 * A failed file operation as `disk_full`, `permission_denied` or `io_failed`.
 * @param action what was tried, as it reads after "cannot": "write", "make the directory".
 */
export function fileError(thrown: unknown, action: string, path: string): PalliumError {
  const cause = { cause: thrown };
  if (FULL.includes(systemCode(thrown) ?? "")) {
    return new PalliumError("disk_full", `no space left to ${action} ${path}`, {
      ...cause,
      hints: ["free some space on that disk, or raise the quota or file size limit, and try again"],
    });
  }
  if (isForbidden(thrown)) {
    return new PalliumError("permission_denied", `not allowed to ${action} ${path}`, {
      ...cause,
      hints: [`see who owns it and what is allowed: ls -ld ${path}`],
    });
  }
  return new PalliumError("io_failed", `cannot ${action} ${path}: ${messageOf(thrown)}`, {
    ...cause,
    hints: [`see what is there, and that its disk works: ls -ld ${path}`],
  });
}
