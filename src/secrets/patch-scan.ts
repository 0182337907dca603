import type { SecretScan } from "./finding.ts";
import { createSecretScanner } from "./scanner.ts";

/** Looks for secrets in what patches add. */
export function createPatchScan(): (patch: string) => Promise<SecretScan> {
  const scanner = createSecretScanner();
  return (patch) => scanner.scanDiff(patch);
}
