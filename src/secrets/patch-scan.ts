import type { SecretScan } from "./finding.ts";
import { createSecretScanner, type SecretScanner } from "./scanner.ts";

/** Looks for secrets in what patches add; the rules, which take time to load, are loaded for the first. */
export function createPatchScan(): (patch: string) => Promise<SecretScan> {
  let scanner: Promise<SecretScanner> | undefined;
  return async (patch) => {
    scanner ??= createSecretScanner();
    return (await scanner).scanDiff(patch);
  };
}
