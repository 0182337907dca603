/** The user's own time zone; the process itself lives in UTC. */
import { readlinkSync } from "node:fs";

/** @param tz the user's `TZ`. @returns an IANA name where the system tells one, else `UTC`. */
export function userTimeZone(tz: string | undefined): string {
  const name = tz?.replace(/^:/, "");
  if (name) return name;
  try {
    return /zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1] ?? "UTC";
  } catch {
    return "UTC";
  }
}
