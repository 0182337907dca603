import { hostname } from "node:os";

/** The name of this computer in its network. */
export function machineName(): string {
  return hostname();
}
