import { isManifest } from "../imports/language.ts";
import { isVerificationManifest } from "../verification/manifests.ts";

/** Whether the text of a file is kept: build files and the like, which analyses read in full. */
export function isKeptText(path: string): boolean {
  return isManifest(path) || isVerificationManifest(path);
}
