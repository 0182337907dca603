import type { Command } from "../command.ts";
import type { VersionInfo } from "../program.ts";

export function versionCommand(version: VersionInfo): Command {
  return {
    name: "version",
    summary: "Show the version of pallium",
    arity: [0, 0],
    args: {},
    run: async () => ({ data: version, text: `pallium ${version.version}` }),
  };
}
