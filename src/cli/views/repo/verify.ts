import type { VerifyReport, VerifyResult } from "../../../repo/verify.ts";

/** @param withOutput whether the reader has not seen yet what the commands printed. */
export function verifyText(report: VerifyReport, withOutput: boolean): string {
  const { changed_files, results, not_run, output } = report;
  const isDry = results.length === 0;
  return [
    `Verification tier: ${report.tier}`,
    ...(isDry ? ["Nothing was run."] : outcome(report)),
    ...listed("Changed files:", changed_files),
    ...listed("Commands:", results.length > 1 ? results.map(resultLine) : []),
    ...listed(isDry ? "Would run:" : "Not run:", not_run),
    ...(withOutput && output.trim() !== "" ? ["", "Output:", output.trimEnd()] : []),
  ].join("\n");
}

function outcome({ command, exit_code, duration_ms }: VerifyReport): readonly string[] {
  return [`Command: ${command}`, `Exit code: ${exit_code}`, `Duration: ${duration_ms}ms`];
}

function resultLine({ command, exit_code, duration_ms, timed_out, interrupted }: VerifyResult) {
  const end = timed_out ? "timed out" : interrupted ? "interrupted" : ended(exit_code);
  return `${command} (${end}, ${duration_ms}ms)`;
}

function ended(exitCode: number): string {
  return exitCode === 0 ? "passed" : `failed with ${exitCode}`;
}

function listed(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", title, ...items.map((item) => `- ${item}`)];
}
