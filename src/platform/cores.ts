import { availableParallelism } from "node:os";

/** How many processes can work at the same time; at least 1. */
export function cores(): number {
  return Math.max(1, availableParallelism());
}
