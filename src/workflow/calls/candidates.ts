/** Which providers may serve a call: the one it asked for, or the default and what stands in for it. */
import { PalliumError } from "../../lib/errors.ts";
import type { Providers } from "../../providers/resolve.ts";

/** Reads `codex,claude`; empty or absent names nobody. */
export function parseFallback(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").flatMap((name) => name.trim() || []);
}

/**
 * In the order in which they are tried, those left out that are not installed; never empty.
 * @param requested empty for a call that named no provider.
 * @throws PalliumError `provider_reserved`
 */
export function candidates(
  providers: Providers,
  fallback: readonly string[],
  requested: string,
): readonly string[] {
  const first = providers.resolve(requested);
  if ((requested !== "" && requested !== "default") || fallback.length === 0) return [first];
  const names = [...new Set([first, ...fallback.map((name) => providers.resolve(name))])];
  const installed = names.filter((name) => isThere(providers, name));
  return installed.length === 0 ? [first] : installed;
}

function isThere(providers: Providers, name: string): boolean {
  try {
    providers.get(name);
    return true;
  } catch (error) {
    if (error instanceof PalliumError) return false;
    throw error;
  }
}
