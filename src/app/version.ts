import manifest from "../../package.json" with { type: "json" };
import type { VersionInfo } from "../cli/program.ts";

/** Set by `--define` in release builds. */
declare const PALLIUM_BUILD_VERSION: string | undefined;
declare const PALLIUM_BUILD_COMMIT: string | undefined;

function buildVersion(): string {
  return typeof PALLIUM_BUILD_VERSION === "string" ? PALLIUM_BUILD_VERSION : manifest.version;
}

function buildCommit(): { readonly commit?: string } {
  return typeof PALLIUM_BUILD_COMMIT === "string" ? { commit: PALLIUM_BUILD_COMMIT } : {};
}

/** The version of this very program, started by `self`, and of what it runs on. */
export function versionInfo(self: readonly string[]): VersionInfo {
  return {
    module: manifest.name,
    version: buildVersion(),
    ...buildCommit(),
    bun: Bun.version,
    platform: `${process.platform}-${process.arch}`,
    executable: self.at(-1) ?? process.execPath,
  };
}

const VERSION_WORDS = ["version", "--version", "-V"];

/**
 * What a bare request for the version prints; `undefined` for every other command line. It saves
 * loading the command line's modules for the command that scripts call most.
 */
export function quickVersion(argv: readonly string[], self: readonly string[]): string | undefined {
  const words = argv.filter((word) => word !== "--json");
  if (words.length !== 1 || !VERSION_WORDS.includes(words[0] ?? "")) return undefined;
  const info = versionInfo(self);
  const json = words.length < argv.length;
  return json ? `${JSON.stringify(info, null, 2)}\n` : `pallium ${info.version}\n`;
}
