/** A launch agent of macOS. Pure. */
import type { WatchJob } from "./watch-job.ts";

export const LABEL = "pallium.triggers";

/** Runs that it started go on when it ends: `AbandonProcessGroup`. */
export function launchdPlist({ argv, environment, log }: WatchJob): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    ...entry("Label", [string(LABEL)]),
    ...entry("ProgramArguments", ["<array>", ...argv.map(string), "</array>"]),
    ...entry("EnvironmentVariables", [
      "<dict>",
      ...Object.entries(environment).flatMap(([name, value]) => entry(name, [string(value)])),
      "</dict>",
    ]),
    ...entry("StandardErrorPath", [string(log)]),
    ...entry("RunAtLoad", ["<true/>"]),
    ...entry("KeepAlive", ["<dict>", ...entry("SuccessfulExit", ["<false/>"]), "</dict>"]),
    ...entry("AbandonProcessGroup", ["<true/>"]),
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

function entry(name: string, value: readonly string[]): readonly string[] {
  return [`<key>${escaped(name)}</key>`, ...value];
}

function string(text: string): string {
  return `<string>${escaped(text)}</string>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
